import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../rest/app.ts';
import { createHttpServer } from '../../rest/http/server.ts';
import { createGraphql } from '../../schema/server.ts';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import { makeKey } from '../../src/access/key.ts';
import { newId } from '../../src/values/ids.ts';
import { closeServices, createServices, type Services } from '../../src/process/services.ts';
import { eventually, makeTenant } from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { useHarness } from '../support/use-harness.ts';

/** A second API process in all but name: services, pool, caches and budgets of its own. */
let second: { url: string; server: Server; services: Services };

const harness = useHarness({
  worker: false,
  env: {
    RATE_LIMIT_THIN: '12',
    RATE_LIMIT_GENEROUS: '40',
    REGISTRATION_RATE_LIMIT: '3',
    FAILED_AUTHENTICATION_LIMIT: '5',
    TRUSTED_PROXIES: '1',
  },
});

beforeAll(async () => {
  const services = createServices(harness.services.config, 'api');
  const app = createApp(services, createAuthenticate(services.pool), createGraphql(services));
  const server = createHttpServer(app, 'http://localhost');
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  second = { url: `http://127.0.0.1:${port}`, server, services };
});
afterAll(async () => {
  second.server.closeAllConnections();
  await new Promise((resolve) => second.server.close(resolve));
  await closeServices(second.services);
});
afterEach(() => harness.database.pool.query('DELETE FROM rate_limit'));

const path = '/v1/business/profile';
let clients = 0;
/** Each test calls from an address of its own, as a proxy in front would tell it. */
function freshAddress(): Record<string, string> {
  clients += 1;
  return { 'x-forwarded-for': `spoofed, 198.51.100.${clients}` };
}

interface LimitHeaders {
  readonly policy: string;
  readonly quota: number;
  readonly window: number;
  readonly remaining: number;
  readonly reset: number;
}

/** Reads both headers, and expects them in the form that the draft gives them. */
function limitOf(headers: Headers): LimitHeaders {
  const policy = /^"([a-z]+)";q=(\d+);w=(\d+)$/.exec(headers.get('ratelimit-policy') ?? '');
  const limit = /^"([a-z]+)";r=(\d+);t=(\d+)$/.exec(headers.get('ratelimit') ?? '');
  expect(policy).not.toBeNull();
  expect(limit?.[1]).toBe(policy?.[1]);
  return {
    policy: policy?.[1] ?? '',
    quota: Number(policy?.[2]),
    window: Number(policy?.[3]),
    remaining: Number(limit?.[2]),
    reset: Number(limit?.[3]),
  };
}

function expectRefused(answer: RestAnswer, code: string): void {
  expect(answer.status).toBe(429);
  expect(answer.body.error.code).toBe(code);
  const wait = Number(answer.headers.get('retry-after'));
  expect(wait).toBeGreaterThanOrEqual(1);
  expect(wait).toBe(limitOf(answer.headers).reset);
  expect(limitOf(answer.headers).remaining).toBe(0);
}

test('the thin cap counts down on each answer and ends in RATE_LIMITED', async () => {
  const { key } = await makeTenant(harness, { funded: false });
  for (let left = 11; left >= 0; left -= 1) {
    const answer = await harness.rest('GET', path, { key });
    expect(answer.status).toBe(200);
    const limit = limitOf(answer.headers);
    expect(limit).toMatchObject({ policy: 'tenant', quota: 12, window: 60, remaining: left });
    expect(limit.reset).toBeGreaterThanOrEqual(1);
    expect(limit.reset).toBeLessThanOrEqual(60);
  }
  const refused = await harness.rest('GET', path, { key });
  expectRefused(refused, 'RATE_LIMITED');
  expect(refused.body.error.actor).toMatchObject({ role: 'owner', environment: 'sandbox' });
});

test('answers of every kind are counted and carry the headers', async () => {
  const { key, keyWithRole } = await makeTenant(harness, { funded: false });
  const viewer = await keyWithRole('viewer');
  const answers = [
    await harness.rest('GET', path, { key }),
    await harness.rest('PUT', path, { key, body: 'not json' }),
    await harness.rest('PUT', path, { key, body: { unknown: 1 } }),
    await harness.rest('PUT', path, { key: viewer, body: {} }),
    await harness.rest('GET', '/v1/payouts/pay_unknown', { key }),
    await harness.rest('GET', '/v1/no-such-thing', { key }),
    await harness.rest('DELETE', path, { key }),
    await harness.rest('PUT', path, { key, body: `"${'x'.repeat(1_048_577)}"` }),
    await harness.rest('GET', path, { key, headers: { 'x-api-version': '1999-01-01' } }),
    await harness.graphql(key, '{ me { userId } }'),
    await harness.graphql(key, '{ nothing }'),
    await harness.rest('GET', '/v1/payouts', { key }),
    await harness.rest('GET', path, { key }),
    await harness.graphql(key, '{ me { userId } }'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([
    200, 400, 400, 403, 404, 404, 405, 413, 400, 200, 200, 200, 429, 429,
  ]);
  expect(answers.map(({ headers }) => limitOf(headers).remaining)).toEqual([
    11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0,
  ]);
  const refused = answers.at(-1);
  expect(refused?.body.errors[0].extensions.code).toBe('RATE_LIMITED');
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});

test('tenants do not share a limit; keys of one tenant do', async () => {
  const [one, other] = [await makeTenant(harness), await makeTenant(harness)];
  const another = await one.keyWithRole('viewer');
  for (const left of [11, 10, 9]) {
    const key = left === 10 ? another : one.key;
    expect(limitOf((await harness.rest('GET', path, { key })).headers).remaining).toBe(left);
  }
  const { headers } = await harness.rest('GET', path, { key: other.key });
  expect(limitOf(headers).remaining).toBe(11);
});

test('production has the generous cap, and so has the sandbox once the profile is submitted', async () => {
  const production = await makeTenant(harness, { environment: 'production' });
  const answer = await harness.rest('GET', path, { key: production.key });
  expect(limitOf(answer.headers)).toMatchObject({ quota: 40, remaining: 39 });

  const { key, businessId } = await makeTenant(harness);
  for (let i = 0; i < 12; i += 1) await harness.rest('GET', path, { key });
  expectRefused(await harness.rest('GET', path, { key }), 'RATE_LIMITED');
  await harness.database.pool.query(
    "UPDATE business SET profile_status = 'submitted' WHERE id = $1",
    [businessId],
  );
  const generous = await eventually(async () => {
    const next = await harness.rest('GET', path, { key });
    return next.status === 200 ? next : null;
  });
  // What was used under the thin cap stays used.
  expect(limitOf(generous.headers)).toMatchObject({ quota: 40, remaining: 27 });
});

test('two processes share one limit exactly', async () => {
  const { key } = await makeTenant(harness, { environment: 'production' });
  const urls = [harness.baseUrl, second.url];
  const call = async (i: number): Promise<number> => {
    const authorization = `Bearer ${key}`;
    const answer = await fetch((urls[i % 2] ?? '') + path, { headers: { authorization } });
    await answer.arrayBuffer();
    return answer.status;
  };
  const first = await Promise.all(Array.from({ length: 30 }, (_, i) => call(i)));
  const statuses = [...first];
  for (let i = 0; i < 30; i += 1) statuses.push(await call(i));
  expect(statuses.filter((status) => status === 200)).toHaveLength(40);
  expect(statuses.filter((status) => status === 429)).toHaveLength(20);
});

const register = (headers: Record<string, string>, body: Record<string, unknown> = {}) =>
  harness.rest('POST', '/v1/registration', {
    headers,
    body: { email: `ada-${randomUUID()}@gmail.com`, company_name: 'Ada', ...body },
  });

const mutation = `mutation ($input: BusinessRegisterInput!) {
  businessRegister(input: $input) { business { id } }
}`;

function registerByGraphql(headers: Record<string, string>): Promise<RestAnswer> {
  const input = { email: `ada-${randomUUID()}@gmail.com`, companyName: 'Ada' };
  return harness.rest('POST', '/graphql', {
    headers,
    body: { query: mutation, variables: { input } },
  });
}

test('registrations of one address are limited, over REST and GraphQL together', async () => {
  const headers = freshAddress();
  const first = await register(headers);
  expect(first.status).toBe(201);
  expect(limitOf(first.headers)).toMatchObject({
    policy: 'registration',
    quota: 3,
    window: 3_600,
    remaining: 2,
  });
  const byGraphql = await registerByGraphql(headers);
  expect(byGraphql.body.data.businessRegister.business.id).toMatch(/^biz_/);
  expect(limitOf(byGraphql.headers)).toMatchObject({ policy: 'registration', remaining: 1 });
  // Malformed input is not counted; a taken address is, since its refusal tells something.
  expect((await register(headers, { email: 'nonsense' })).status).toBe(400);
  const taken = await register(headers, { email: first.body.user.email });
  expect(taken.body.error.code).toBe('EMAIL_ALREADY_REGISTERED');

  expectRefused(await register(headers), 'REGISTRATION_RATE_LIMITED');
  const refused = await registerByGraphql(headers);
  expect(refused.body.errors[0].extensions.code).toBe('REGISTRATION_RATE_LIMITED');
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3_000);
  expect((await register(freshAddress())).status).toBe(201);
});

test('racing registrations of one address: exactly as many as allowed; a /64 is one address', async () => {
  const answers = await Promise.all(
    Array.from({ length: 9 }, (_, i) => register({ 'x-forwarded-for': `2001:db8:7:7::${i}` })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(6);
  expect((await register({ 'x-forwarded-for': '2001:db8:7:8::1' })).status).toBe(201);
});

test('without a key, or with a wrong one, the headers tell of failed authentications', async () => {
  const headers = freshAddress();
  const anonymous = await harness.rest('GET', path, { headers });
  expect(anonymous.status).toBe(401);
  expect(limitOf(anonymous.headers)).toMatchObject({ policy: 'authentication', remaining: 5 });
  const guess = await harness.rest('GET', path, { headers, key: 'pos_sandbox_guess' });
  expect(guess.status).toBe(401);
  expect(limitOf(guess.headers)).toMatchObject({ policy: 'authentication', remaining: 4 });
  expect((await harness.rest('GET', path, { headers })).status).toBe(401);
});

test('an address that guesses keys waits; keys that worked there before are let in', async () => {
  const headers = freshAddress();
  const known = await makeTenant(harness);
  const unseen = await makeTenant(harness);
  expect((await harness.rest('GET', path, { headers, key: known.key })).status).toBe(200);
  const guess = () => makeKey('sandbox', newId('apiKey')).key;
  for (let i = 0; i < 5; i += 1) {
    expect((await harness.rest('GET', path, { headers, key: guess() })).status).toBe(401);
  }
  expectRefused(await harness.rest('GET', path, { headers, key: guess() }), 'too_many_requests');
  // Not even a key that would work is looked up, or the answer would tell guesses apart.
  const late = await harness.rest('GET', path, { headers, key: unseen.key });
  expectRefused(late, 'too_many_requests');
  const graphql = await harness.rest('POST', '/graphql', {
    headers,
    key: guess(),
    body: { query: '{ __typename }' },
  });
  expect(graphql.status).toBe(429);
  expect(graphql.body.errors[0].extensions.code).toBe('too_many_requests');

  expect((await harness.rest('GET', path, { headers, key: known.key })).status).toBe(200);
  const elsewhere = freshAddress();
  const other = await harness.rest('GET', path, { headers: elsewhere, key: unseen.key });
  expect(other.status).toBe(200);
});

test('a revoked key stops working within a second, also where it was known', async () => {
  const { key, tenantId } = await makeTenant(harness, { environment: 'production' });
  expect((await harness.rest('GET', path, { key })).status).toBe(200);
  await harness.database.pool.query('UPDATE api_key SET revoked_at = now() WHERE tenant_id = $1', [
    tenantId,
  ]);
  await eventually(async () => (await harness.rest('GET', path, { key })).status === 401);
});

test('health, documents and provider events are not counted and carry no limit', async () => {
  for (const target of ['/healthz', '/readyz', '/docs/errors']) {
    const answer = await harness.rest('GET', target);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('ratelimit')).toBeNull();
  }
});

test('what fails before the route carries the headers too', async () => {
  const { key } = await makeTenant(harness, { funded: false });
  const asked: [string, string, Record<string, string>][] = [
    ['GET', '/v1/payouts/%zz', {}],
    ['GET', `/v1/payouts?external_ref=${'x'.repeat(9_000)}`, {}],
    ['POST', '/v1/payouts', { 'content-encoding': 'gzip' }],
    ['OPTIONS', '/v1/payouts', {}],
    ['PATCH', '/v1/payouts', {}],
    ['PROPFIND', '/v1/payouts', {}],
    ['GET', '/v1/nothing', {}],
    ['GET', '/v1', {}],
    ['GET', '/graphql', {}],
    ['GET', '/v1/openapi.json', {}],
  ];
  for (const [method, target, headers] of asked) {
    for (const shown of [undefined, key, 'pos_sandbox_guess']) {
      const answer = await fetch(harness.baseUrl + target, {
        method,
        headers: {
          ...headers,
          ...freshAddress(),
          ...(shown === undefined ? {} : { authorization: `Bearer ${shown}` }),
        },
      });
      await answer.arrayBuffer();
      expect(limitOf(answer.headers).quota, `${method} ${target}`).toBeGreaterThan(0);
    }
  }
});
