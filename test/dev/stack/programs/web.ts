import { createServer } from 'node:http';
import { environment } from './config.ts';

/** Stands for a service: answers 200, says its process id, and drains on SIGTERM; or fails at once. */
if (environment['WEB_FAILS'] !== undefined) process.exit(3);
const server = createServer((_request, response) => {
  response.end('ok');
});
server.listen(Number(environment['PORT']), '127.0.0.1', () => {
  process.stdout.write(`listening, pid ${process.pid}\n`);
});
process.on('SIGTERM', () => {
  process.stdout.write('draining\n');
  server.close();
});
