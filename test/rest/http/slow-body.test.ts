import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readBytes } from '../../../rest/http/body.ts';
import { HttpError } from '../../../rest/http/http-error.ts';

const pace = { bytesPerSecond: 1_000, afterSeconds: 0.02 };

const server = createServer((request, response) => {
  const read =
    request.url === '/' ? readBytes(request, 100, 0.05) : readBytes(request, 100, 3_600, pace);
  read.then(
    (bytes) => response.end(`took ${bytes.length}`),
    (error: unknown) => {
      response.statusCode = error instanceof HttpError ? error.status : 500;
      response.setHeader('Connection', 'close');
      response.end();
    },
  );
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends `body` as the beginning of one of ten bytes; gives the whole answer. */
async function answerTo(body: string, path = '/'): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\nConnection: close\r\n\r\n${body}`,
  );
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

it('answers 408 to a body that does not arrive in time, and ends the connection', async () => {
  expect(await answerTo('12345')).toMatch(/^HTTP\/1\.1 408 /);
});

it('takes one that does', async () => {
  expect(await answerTo('1234567890')).toMatch(/^HTTP\/1\.1 200 (.|\r\n)*took 10/);
});

it('answers 408 to one that is slower than the pace, long before its time is up', async () => {
  expect(await answerTo('12345', '/paced')).toMatch(/^HTTP\/1\.1 408 /);
  expect(await answerTo('1234567890', '/paced')).toMatch(/took 10/);
});
