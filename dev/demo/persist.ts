import { setTimeout as sleep } from 'node:timers/promises';
import { ConnectionError, isApiError } from '../../client/src/index.ts';

interface Persistence {
  /** How long a write is repeated. */
  readonly retryMs: number;
  readonly signal: AbortSignal;
}

const firstDelayMs = 100;
const longestDelayMs = 2_000;

/** Whether a failure leaves open if the write took effect. */
const isUnclear = (error: unknown): boolean =>
  error instanceof ConnectionError || (isApiError(error) && error.status >= 500);

/**
 * Repeats a write that has no key, which the client does not do: only who made it knows how to tell
 * whether it took effect. Throws what the write throws, and the last failure when time is up.
 * @param recover asks whether the lost attempt took effect; what it finds stands in for the answer
 */
export async function persist<Answer>(
  { retryMs, signal }: Persistence,
  write: () => Promise<Answer>,
  recover: () => Promise<Answer | null> = async () => null,
): Promise<Answer> {
  const end = Date.now() + retryMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const found = attempt > 1 ? await recover() : null;
      return found ?? (await write());
    } catch (error) {
      const delay = Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs);
      if (!isUnclear(error) || Date.now() + delay > end) throw error;
      await sleep(delay, undefined, { signal });
    }
  }
}
