import { setTimeout as pause } from 'node:timers/promises';

/** Two writers at once are through after one repetition; a handful covers a restart of the database. */
const conflictTries = 5;
const errorTries = 3;

/**
 * Repeats work that returns null because another writer came first, at most five times in all.
 * Returns null if the last try does too; the caller knows the work and throws the error for it.
 * @param pauseMs the pause before try number n is n times as many milliseconds
 */
export async function retryOnConflict<T>(
  work: () => Promise<T | null>,
  pauseMs = 0,
): Promise<T | null> {
  for (let tries = 1; tries <= conflictTries; tries += 1) {
    if (tries > 1 && pauseMs > 0) await pause(pauseMs * tries);
    const done = await work();
    if (done !== null) return done;
  }
  return null;
}

/**
 * Repeats work that throws a transient error, such as a deadlock. Throws the last error, and every other error at
 * once. The work is a whole transaction, or safe to repeat.
 * @param most how often the work is tried in all
 */
export async function retryOnError<T>(
  isTransient: (error: unknown) => boolean,
  work: () => Promise<T>,
  most = errorTries,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isTransient(error) || tries === most) throw error;
    }
  }
}
