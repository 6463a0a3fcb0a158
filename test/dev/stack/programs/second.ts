import { environment } from './config.ts';

/**
 * Stands for a service without a port, whose first line comes at any time. Its channel to the parent must not keep it
 * alive.
 */
const timer = setInterval(() => {}, 60_000);
if (environment['SECOND_IS_SILENT'] === undefined) {
  process.stdout.write(`working, pid ${process.pid}\n`);
}
process.on('SIGTERM', () => clearInterval(timer));
