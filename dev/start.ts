import { readDevConfig } from './stack/config.ts';
import { AlreadyRunningError } from './postgres/lock.ts';
import { run, serviceParts } from './stack/run.ts';

/** `npm start`: the database, the API, the worker, the provider simulator and the mailbox. */
const stop = new AbortController();
let stoppedAt = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    const now = Date.now();
    // npm passes on the signal that the terminal has sent to this process already.
    if (stop.signal.aborted && now - stoppedAt < 500) return;
    // The second Ctrl-C: children and PostgreSQL end with this process.
    if (stop.signal.aborted) process.exit(1);
    stoppedAt = now;
    stop.abort();
  });
}

try {
  const config = readDevConfig();
  await run(config, serviceParts(config), (text) => process.stdout.write(text), stop.signal);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // Who finds the service running can tell it from a start that failed.
  process.exitCode = error instanceof AlreadyRunningError ? 3 : 1;
}
