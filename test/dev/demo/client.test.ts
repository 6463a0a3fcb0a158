import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type Client, createClient, errorCode } from '../../../dev/demo/client.ts';
import { patience } from '../../support/patience.ts';

let server: Server;
afterEach(() => {
  server.close();
  server.closeAllConnections();
});

/** A client of a server that answers the nth request by the nth handler, and the last one after. */
async function against(
  handlers: ReadonlyArray<(response: ServerResponse) => void>,
  retryMs = 10_000,
  signal = patience(),
): Promise<{ client: Client; bodies: string[] }> {
  const bodies: string[] = [];
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => (body += String(chunk)));
    request.on('end', () => {
      bodies.push(body);
      handlers[Math.min(bodies.length, handlers.length) - 1]?.(response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { client: createClient({ baseUrl, retryMs, signal }), bodies };
}

const answer =
  (status: number, body = '{}') =>
  (response: ServerResponse) =>
    void response.writeHead(status).end(body);
const cut = (response: ServerResponse) => void response.destroy();
const cutInBody = (response: ServerResponse) => {
  response.writeHead(201, { 'Content-Length': '100' });
  response.write('{"half":', () => response.destroy());
};

test('repeats the same body over cut connections, half answers, 5xx and 429', async () => {
  const { client, bodies } = await against([cut, cutInBody, answer(502), answer(429), answer(201)]);
  const body = { idempotency_key: 'k1' };
  const result = await client.call({ method: 'POST', path: '/x', body });
  expect(result).toMatchObject({ status: 201, attempts: 5 });
  expect(new Set(bodies)).toEqual(new Set(['{"idempotency_key":"k1"}']));
});

test('a 4xx is final', async () => {
  const { client, bodies } = await against([answer(422, '{"error":{"code":"SOME_CODE"}}')]);
  const result = await client.call({ method: 'POST', path: '/x', body: {} });
  expect(errorCode(result)).toBe('SOME_CODE');
  expect(bodies).toHaveLength(1);
});

test('makes a new body for each attempt where it is told to', async () => {
  const { client, bodies } = await against([cut, answer(201)]);
  await client.call({ method: 'POST', path: '/x', body: (attempt) => ({ attempt }) });
  expect(bodies).toEqual(['{"attempt":1}', '{"attempt":2}']);
});

test('asks whether the lost attempt took effect before it repeats it', async () => {
  const { client, bodies } = await against([cut, answer(200, '"found"')]);
  const recover = () => client.call({ method: 'GET', path: '/list' });
  const result = await client.call({ method: 'POST', path: '/x', body: { a: 1 }, recover });
  expect(result).toMatchObject({ text: '"found"', attempts: 2 });
  expect(bodies).toEqual(['{"a":1}', '']);
});

test('gives up after its time and says what the last outcome was', async () => {
  const { client } = await against([answer(503, '{"error":{"code":"internal_error"}}')], 300);
  await expect(client.call({ method: 'GET', path: '/x' })).rejects.toThrow(
    'GET /x: no final answer; the last outcome was 503 internal_error',
  );
});

test('does not outlive its signal', async () => {
  const abort = new AbortController();
  const stop = (response: ServerResponse) => {
    response.destroy();
    abort.abort(new Error('time is up'));
  };
  const { client, bodies } = await against([stop], 60_000, abort.signal);
  await expect(client.call({ method: 'GET', path: '/x' })).rejects.toThrow();
  expect(bodies).toHaveLength(1);
});

test('reports a refused connection by its code', async () => {
  const { client } = await against([], 0);
  server.close();
  server.closeAllConnections();
  await expect(client.call({ method: 'GET', path: '/x' })).rejects.toThrow('ECONNREFUSED');
});
