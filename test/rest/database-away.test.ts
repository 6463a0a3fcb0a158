import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createApp } from '../../rest/app.ts';
import { createHttpServer } from '../../rest/http/server.ts';
import { createGraphql } from '../../schema/server.ts';
import { createAuthenticate } from '../../src/access/authenticate.ts';
import { sign } from '../../src/crypto/signature.ts';
import { loadConfig } from '../../src/process/config.ts';
import { closeServices, createServices, type Services } from '../../src/process/services.ts';
import { eventually, payoutBody } from '../support/factory.ts';
import { startNetwork, type Network } from '../support/network.ts';
import { patience } from '../support/patience.ts';
import { makePayeeLink, type PayeeLink } from '../support/payee-link.ts';
import { useHarness, usePayee, useTenant } from '../support/use-harness.ts';

/** Well above the time in which an outage is noticed, and below every other limit of a statement. */
const noticedMs = 25_000;
const poolSize = 6;

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);
const payee = usePayee(harness, tenant);

/** The API of a second process, whose way to the database a test can break. */
let api: { url: string; server: Server; services: Services };
let network: Network;
let link: PayeeLink;

beforeAll(async () => {
  network = await startNetwork(harness.database.url);
  const { config } = harness.services;
  const services = createServices(
    loadConfig({
      NODE_ENV: 'test',
      LOG_LEVEL: 'silent',
      DATABASE_URL: network.url,
      DATABASE_POOL_SIZE: String(poolSize),
      RATE_LIMIT_THIN: String(config.RATE_LIMIT_THIN),
      RATE_LIMIT_GENEROUS: String(config.RATE_LIMIT_GENEROUS),
      REGISTRATION_RATE_LIMIT: String(config.REGISTRATION_RATE_LIMIT),
    }),
    'api',
  );
  services.watch.start();
  const app = createApp(services, createAuthenticate(services.pool), createGraphql(services));
  const server = createHttpServer(app, config.PUBLIC_URL);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  api = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server, services };
  link = await makePayeeLink(harness, tenant);
});

afterEach(async () => {
  network.onSent = () => undefined;
  network.onAnswered = () => undefined;
  await sql('RESET default_transaction_read_only', 'CONNECTION LIMIT -1');
  await network.heal();
  await eventually(async () => (await call('/readyz')).status === 200);
});

afterAll(async () => {
  api.server.closeAllConnections();
  await new Promise((resolve) => api.server.close(resolve));
  await closeServices(api.services);
  await network.close();
});

/** Changes the database of this file; no other is affected. */
async function sql(...changes: readonly string[]): Promise<void> {
  const name = new URL(harness.database.url).pathname.slice(1);
  for (const change of changes)
    await harness.database.pool.query(`ALTER DATABASE ${name} ${change}`);
}

interface Sent {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly milliseconds: number;
}

async function call(path: string, init: RequestInit = {}): Promise<Sent> {
  const began = performance.now();
  const answer = await fetch(api.url + path, { redirect: 'manual', signal: patience(), ...init });
  const text = await answer.text();
  const milliseconds = performance.now() - began;
  return { status: answer.status, headers: answer.headers, text, milliseconds };
}

const asTenant = (): HeadersInit => ({ authorization: `Bearer ${tenant.key}` });
const json = (body: unknown, headers: HeadersInit = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const create = (body: object) => call('/v1/payouts', json(body, asTenant()));

/** One request of each kind. The answer without an outage is in the last column. */
const requests: readonly (readonly [string, () => Promise<Sent>, number])[] = [
  ['a list', () => call('/v1/payouts', { headers: asTenant() }), 200],
  ['a payout', () => create(payoutBody(payee)), 201],
  ['an approved payout', () => create(payoutBody(payee, { validator_strategy: 'auto' })), 201],
  [
    'a registration',
    () =>
      call(
        '/v1/registration',
        json({ email: `ada.${randomUUID()}@gmail.com`, company_name: 'Ada' }),
      ),
    201,
  ],
  [
    'GraphQL',
    () =>
      call(
        '/graphql',
        json({ query: '{ payouts(first: 1) { edges { node { id } } } }' }, asTenant()),
      ),
    200,
  ],
  ['an export', () => call('/v1/reporting/transactions/export', { headers: asTenant() }), 200],
  ['a page', () => call(link.path, { headers: { 'accept-language': 'de' } }), 200],
  ['an event', () => event(), 200],
];

function event(): Promise<Sent> {
  const body = JSON.stringify({
    id: `evt_${randomUUID()}`,
    type: 'payout.settled',
    occurred_at: new Date().toISOString(),
    data: {
      payout_id: 'po_unknown',
      reference: `${tenant.tenantId}.none`,
      amount_minor: 1,
      currency: 'USD',
      status: 'settled',
      rail_ref: 'none',
      expected_delivery_date: null,
      failure: null,
    },
  });
  const secret = api.services.config.SIMULATOR_WEBHOOK_SECRET;
  const signature = sign(secret, Math.floor(Date.now() / 1_000), Buffer.from(body));
  return call('/provider-webhooks/simulator', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'X-Service-Signature': signature },
    body,
  });
}

const sendAll = () => Promise.all(requests.map(([, send]) => send()));

function expectAway(name: string, { status, headers, text, milliseconds }: Sent): void {
  expect({ name, status }).toEqual({ name, status: 503 });
  expect(Number(headers.get('retry-after')), name).toBeGreaterThanOrEqual(1);
  expect(milliseconds, name).toBeLessThan(noticedMs);
  if (name === 'a page') {
    expect(headers.get('content-type')).toContain('text/html');
    expect(text).toContain('<html lang="de"');
    expect(text).toContain('Wir können gerade nicht antworten');
  } else if (name === 'GraphQL') {
    expect(JSON.parse(text).errors[0].extensions.code).toBe('service_unavailable');
  } else {
    expect(JSON.parse(text).error.code).toBe('service_unavailable');
  }
}

/** Requests that write nothing while the process has some of the caller's rate limit in hand. */
const reads: ReadonlySet<string> = new Set(['a list', 'GraphQL', 'an export', 'a page']);

/**
 * The outage as every surface shows it: while it is noticed, and once it is known. Where the database still
 * reads, it may answer what only reads until then.
 */
async function expectOutage(stillReads: boolean): Promise<void> {
  const atFirst = await sendAll();
  for (const [index, [name]] of requests.entries()) {
    const answer = atFirst[index] as Sent;
    if (!(stillReads && reads.has(name) && answer.status === 200)) expectAway(name, answer);
  }
  await eventually(async () => (await call('/readyz')).status === 503);
  expect((await call('/healthz')).status).toBe(200);
  // Many more than the pool has connections are refused without waiting for one of them.
  const many = await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(() => sendAll()));
  for (const answers of many) {
    for (const [index, [name]] of requests.entries()) expectAway(name, answers[index] as Sent);
  }
  expect(api.services.pool.waitingCount).toBe(0);
}

/** Once the database is back, the next request of every kind works, on every connection of the pool. */
async function expectBack(): Promise<void> {
  await eventually(async () => (await call('/readyz')).status === 200);
  for (let round = 0; round < poolSize; round += 1) {
    const answers = await sendAll();
    expect(answers.map(({ status }) => status)).toEqual(requests.map(([, , well]) => well));
  }
}

const outages: readonly (readonly [string, () => Promise<void> | void, () => Promise<void>])[] = [
  ['refuses connections', () => network.refuse(), () => network.heal()],
  ['is frozen', () => network.freeze(), () => network.heal()],
  [
    'is starting up',
    () => network.answer('57P03', 'the database system is starting up'),
    () => network.heal(),
  ],
  [
    'has become read-only',
    async () => {
      await sql('SET default_transaction_read_only = on');
      network.cut();
    },
    // The sessions of the read-only time are still there, and must not be used.
    () => sql('RESET default_transaction_read_only'),
  ],
];

test.for(outages)(
  'a database that %s is 503 everywhere, and then works again',
  async ([name, begin, end]) => {
    await expectBack();
    await begin();
    await expectOutage(name === 'has become read-only');
    await end();
    await expectBack();
  },
);

test('a database that has no connection left is 503, and the process stays ready', async () => {
  await sql('CONNECTION LIMIT 0');
  network.cut();
  const answers = await sendAll();
  for (const [index, [name]] of requests.entries()) expectAway(name, answers[index] as Sent);
  expect((await call('/readyz')).status).toBe(200);
  await sql('CONNECTION LIMIT -1');
  await expectBack();
});

test('a session that is read-only is left for one that is not', async () => {
  await sql('SET default_transaction_read_only = on');
  network.cut();
  await eventually(async () => (await call('/readyz')).status === 503);
  await sql('RESET default_transaction_read_only');
  await eventually(async () => (await call('/readyz')).status === 200);
  // A single connection that leads to a replaced primary, as a proxy that cuts nothing leaves it.
  const client = await api.services.pool.connect();
  await client.query('SET default_transaction_read_only = on');
  client.release();
  const statuses = [];
  for (let round = 0; round < 2 * poolSize; round += 1) {
    statuses.push((await create(payoutBody(payee))).status);
  }
  expect(statuses.filter((status) => status !== 201).length).toBeLessThanOrEqual(1);
});

const payoutsOf = async (key: string): Promise<number> => {
  const { rows } = await harness.database.pool.query<{ n: number }>(
    'SELECT count(*)::integer AS n FROM payout WHERE idempotency_key = $1',
    [key],
  );
  return rows[0]?.n ?? 0;
};

/** PostgreSQL's word that a connection stands in no transaction: what was sent has been committed. */
const committed = Buffer.from('Z\0\0\0\u0005I');

test.for([
  ['before', 0],
  ['after', 1],
] as const)(
  'a create that is cut %s it took effect is 503, and its key makes the repetition safe',
  async ([when, stored]) => {
    const body = payoutBody(payee, { validator_strategy: 'auto' });
    const refused = Promise.withResolvers<void>();
    const refuseAt = (reached: (bytes: Buffer) => boolean) => (bytes: Buffer) => {
      if (!reached(bytes)) return;
      network.onSent = () => undefined;
      network.onAnswered = () => undefined;
      network.refuse().then(refused.resolve, refused.reject);
    };
    // A create is one statement, and its own transaction.
    if (when === 'before')
      network.onSent = refuseAt((bytes) => bytes.includes('create_one_payout\0'));
    else {
      const column = 'railRejectionReason'; // of the statement's answer, and of no other's
      network.onAnswered = refuseAt((bytes) => bytes.includes(column) && bytes.includes(committed));
    }
    const first = await create(body);
    expectAway('a payout', first);
    await refused.promise;
    expect(await payoutsOf(body.idempotency_key)).toBe(stored);
    await network.heal();
    await eventually(async () => (await call('/readyz')).status === 200);
    const second = await create(body);
    expect(second.status).toBe(stored === 0 ? 201 : 200);
    expect(await payoutsOf(body.idempotency_key)).toBe(1);
    const { id } = JSON.parse(second.text).payout;
    const jobs = await harness.database.pool.query(
      `SELECT 1 FROM graphile_worker._private_jobs WHERE payload ->> 'payoutId' = $1`,
      [id],
    );
    expect(jobs.rowCount).toBe(1);
  },
);
