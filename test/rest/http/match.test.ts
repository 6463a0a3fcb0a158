import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createMatcher } from '../../../rest/http/match.ts';

const rows = [
  { method: 'get', path: '/things' },
  { method: 'post', path: '/things' },
  { method: 'get', path: '/things/first' },
  { method: 'get', path: '/things/:thingId' },
  { method: 'post', path: '/things/:thingId/parts/:partId' },
  { method: 'get', path: '/' },
] as const;

const answer =
  (row: (typeof rows)[number]): RequestHandler =>
  (request, response) => {
    response.json({ row: `${row.method} ${row.path}`, params: request.params });
  };

/** The matcher, and Express with the same table: what the one says the other must say. */
const apps = {
  matcher: express()
    .enable('case sensitive routing')
    .use(createMatcher(rows, (row) => answer(row))),
  express: express().enable('case sensitive routing'),
};
for (const row of rows) apps.express[row.method](row.path, answer(row));

const servers = new Map<string, Server>();
beforeAll(async () => {
  for (const [name, app] of Object.entries(apps)) {
    const server = createServer(app);
    servers.set(name, server);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  }
});
afterAll(() => {
  for (const server of servers.values()) server.close();
});

async function ask(name: string, method: string, path: string): Promise<[number, unknown]> {
  const { port } = (servers.get(name) as Server).address() as AddressInfo; // both are started
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { method });
  const text = await response.text();
  return [response.status, response.ok && text !== '' ? JSON.parse(text) : null];
}

it.each([
  ['GET', '/things'],
  ['GET', '/things/'],
  ['GET', '/things?limit=5&x=/a/b'],
  ['HEAD', '/things'],
  ['POST', '/things'],
  ['DELETE', '/things'],
  ['GET', '/Things'],
  ['GET', '/things/first'],
  ['GET', '/things/pay_1'],
  ['GET', '/things/pay_1/'],
  ['GET', '/things/a%2Fb%20c'],
  ['GET', '/things//'],
  ['GET', '//things'],
  ['POST', '/things/pay_1'],
  ['POST', '/things/a/parts/b'],
  ['POST', '/things//parts/b'],
  ['POST', '/things/a/Parts/b'],
  ['GET', '/'],
  ['GET', '/other'],
])('%s %s is answered as Express answers it', async (method, path) => {
  expect(await ask('matcher', method, path)).toEqual(await ask('express', method, path));
});

it('refuses a table that it could read otherwise than Express', () => {
  for (const path of ['/things/*all', '/things/pay_:id', '/things{/:id}']) {
    expect(() => createMatcher([{ method: 'get', path }], () => () => undefined)).toThrow(path);
  }
});
