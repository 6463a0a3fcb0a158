import { Agent, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { createHttpServer } from '../../../rest/http/server.ts';
import { eventually } from '../../support/factory.ts';

/** Answers that wait until the test lets them go. */
let held: (() => void)[] = [];
let clients: { destroy(): unknown }[] = [];

afterEach(() => {
  for (const client of clients) client.destroy();
  [held, clients] = [[], []];
});

async function start() {
  const server = createHttpServer((asked, response) => {
    if (asked.url === '/') {
      response.end('at once');
      return;
    }
    if (asked.url === '/begun') response.flushHeaders();
    held.push(() => response.end('held'));
  }, 'http://localhost');
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true });
  clients.push(agent);
  const ask = (path: string) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const asked = request({ host: '127.0.0.1', port, path, agent }, (answer) => {
        answer.resume();
        answer.once('end', () => resolve(answer));
      });
      asked.once('error', reject).end();
    });
  const open = async (text: string): Promise<Socket> => {
    const before = await connections();
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    clients.push(socket);
    socket.write(text);
    await eventually(async () => (await connections()) > before);
    return socket;
  };
  const connections = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  return { server, ask, open };
}

test('a server that stops ends at once where nothing is asked', async () => {
  const { server, ask, open } = await start();
  await ask('/');
  await open('');
  await open('GET / HTTP/1.1\r\nHost: loc');
  await server.drain();
});

test('a server that stops answers what is under way, and tells each client to ask elsewhere', async () => {
  const { server, ask } = await start();
  let [stopping, refused] = [false, 0];
  const asking = Array.from({ length: 4 }, async () => {
    while (refused === 0) await ask('/').catch(() => (refused += Number(stopping)));
  });
  const slow = ask('/held');
  await eventually(() => Promise.resolve(held.length === 1));
  stopping = true;
  const drained = server.drain();
  await Promise.all(asking);
  held[0]?.();
  const answer = await slow;
  expect(answer.statusCode).toBe(200);
  expect(answer.headers.connection).toBe('close');
  await drained;
});

test('a client whose answer had begun when the server stopped is let go after it', async () => {
  const { server, open } = await start();
  const socket = await open('GET /begun HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await eventually(() => Promise.resolve(held.length === 1));
  const drained = server.drain();
  held[0]?.();
  await once(socket.resume(), 'close');
  await drained;
});
