import { ConfigError } from './settings/setting.ts';
import type { Log } from './log.ts';

/**
 * Work that takes longer is cut off. That is safe, since every step survives a crash. Supervisors wait longer
 * than this before they kill.
 */
export const drainMilliseconds = 20_000;

/** Reads the settings, or ends the process with the lines that say what is wrong with them. */
export function gracefully<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** Ends the process, with a line that says why, where `beginning` finds that it may not run. */
export async function orEnd(log: Log, beginning: Promise<void>): Promise<void> {
  try {
    await beginning;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    log.fatal({ message: error.message }, 'The keyring is not the one of this database.');
    process.exit(1);
  }
}

/**
 * Ends the process, with a line that says why, when a promise is rejected and nobody handles that: what the
 * rest of the process does is then unknown. Not where `mends` returns true, since it has taken care.
 */
export function onUnhandledRejection(log: Log, mends: (rejection: unknown) => boolean): void {
  process.on('unhandledRejection', (rejection) => {
    const message = rejection instanceof Error ? rejection.message : String(rejection);
    if (mends(rejection)) {
      log.warn({ message }, 'a statement was lost');
      return;
    }
    const stack = rejection instanceof Error ? rejection.stack : undefined;
    log.fatal({ message, stack }, 'a failure that nobody handles ends the process');
    process.exit(1);
  });
}

/**
 * Calls `drain` once on SIGTERM or SIGINT and ends the process; a second signal ends it at once.
 * @param delayMs how long `drain` waits before it drains
 */
export function onStopSignal(log: Log, drain: () => Promise<void>, delayMs = 0): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'draining');
    setTimeout(() => process.exit(1), delayMs + drainMilliseconds).unref();
    drain().then(
      () => process.exit(0),
      (error: unknown) => {
        log.error(
          { message: error instanceof Error ? error.message : 'unknown' },
          'draining failed',
        );
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}
