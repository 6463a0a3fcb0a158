import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { readDevConfig } from './stack/config.ts';
import { onNpmEnd } from './stack/npm-end.ts';
import { AlreadyRunningError } from './postgres/lock.ts';
import { run, serviceParts } from './stack/run.ts';
import { buildService } from '../tools/build/service.ts';

/** `npm start`: the database, the API, the worker, the provider simulator and the mailbox. */
const stop = new AbortController();
let stoppedAt = 0;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    const now = Date.now();
    // The terminal has sent the signal to this process already, and npm passes it on as well.
    if (stop.signal.aborted && now - stoppedAt < 500) return;
    // On the second Ctrl-C, children and PostgreSQL end with this process.
    if (stop.signal.aborted) process.exit(1);
    stoppedAt = now;
    stop.abort();
  });
}

onNpmEnd(() => stop.abort());

/** Enter in a terminal shows the welcome again: the requests since then have scrolled it away. */
function onAsk(show: () => void, signal: AbortSignal): void {
  if (!process.stdin.isTTY) return;
  createInterface({ input: process.stdin, signal }).on('line', show);
}

try {
  const config = readDevConfig();
  const write = (text: string) => void process.stdout.write(text);
  // As `npm ci` has done, unless a source has changed since then.
  const prepare = () => buildService(join(import.meta.dirname, '..'));
  await run(config, { ...serviceParts(config), prepare }, { write, onAsk }, stop.signal);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  // Callers can tell a service that runs already from a start that failed.
  process.exitCode = error instanceof AlreadyRunningError ? 3 : 1;
}
