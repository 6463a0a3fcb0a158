import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PoolClient } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createApp } from '../../rest/app.ts';
import { createHttpServer } from '../../rest/http/server.ts';
import { createGraphql } from '../../schema/server.ts';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import { loadConfig } from '../../src/process/config.ts';
import { closeServices, createServices, type Services } from '../../src/process/services.ts';
import { unavailable } from '../../src/db/unavailable.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';
/** A process whose database does not listen. */
let away: { url: string; server: Server; services: Services };

const harness = useHarness({ worker: false, env: { DATABASE_POOL_SIZE: '2' } });
const tenant = useTenant(harness);

beforeAll(async () => {
  const config = loadConfig({
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing',
  });
  const services = createServices(config, 'api');
  const app = createApp(services, createAuthenticate(services.pool), createGraphql(services));
  const server = createHttpServer(app, config.PUBLIC_URL);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  away = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, services };
});
afterAll(async () => {
  away.server.closeAllConnections();
  await new Promise((resolve) => away.server.close(resolve));
  await closeServices(away.services);
});

function expectUnavailable({ status, headers }: { status: number; headers: Headers }): void {
  expect(status).toBe(503);
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(headers.get('ratelimit')).toMatch(/^"[a-z]+";r=\d+;t=\d+$/);
  expect(headers.get('ratelimit-policy')).toMatch(/^"[a-z]+";q=\d+;w=\d+$/);
}

it('a database that is away is 503 on REST', async () => {
  const headers = { authorization: `Bearer ${tenant.key}` };
  const answer = await fetch(`${away.url}/v1/payouts`, { headers });
  expectUnavailable(answer);
  expect(await answer.json()).toMatchObject({ error: { code: 'service_unavailable' } });
});

it('and on REST without a key, in the operation itself', async () => {
  const answer = await fetch(`${away.url}/v1/registration`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'ada@example.com', company_name: 'Ada' }),
  });
  expectUnavailable(answer);
});

it('and on GraphQL, before and in the operation', async () => {
  const call = (headers: Record<string, string>, query: string) =>
    fetch(`${away.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ query }),
    });
  const withKey = await call({ authorization: `Bearer ${tenant.key}` }, '{ me { userId } }');
  const without = await call(
    {},
    'mutation { businessRegister(input: { email: "ada@example.com", companyName: "Ada" }) { business { id } } }',
  );
  for (const answer of [withKey, without]) {
    expectUnavailable(answer);
    expect(await answer.json()).toMatchObject({
      errors: [{ extensions: { code: 'service_unavailable' } }],
    });
  }
});

it('a read through Prisma fails as one of the pool does', async () => {
  const error: unknown = await away.services.prisma.payout
    .findMany({ take: 1 })
    .catch((reason: unknown) => reason);
  expect(unavailable(error)).toBe(true);
});

it('a pool without a free connection is 503, and works again', async () => {
  const { pool } = harness.services;
  const held: PoolClient[] = [await pool.connect(), await pool.connect()];
  try {
    const [rest, graphql, prisma] = await Promise.all([
      harness.rest('GET', '/v1/payouts', { key: tenant.key }),
      harness.graphql(tenant.key, '{ payouts(first: 1) { edges { node { id } } } }'),
      harness.services.prisma.payout.findMany({ take: 1 }).catch((reason: unknown) => reason),
    ]);
    expectUnavailable(rest);
    expect(rest.body.error.code).toBe('service_unavailable');
    expectUnavailable(graphql);
    expect(unavailable(prisma)).toBe(true);
  } finally {
    for (const client of held) client.release();
  }
  expect((await harness.rest('GET', '/v1/payouts', { key: tenant.key })).status).toBe(200);
});

it('a fault of ours is none of the database', () => {
  expect(unavailable(new TypeError('undefined is no function'))).toBe(false);
  expect(unavailable('timeout exceeded when trying to connect')).toBe(false);
});
