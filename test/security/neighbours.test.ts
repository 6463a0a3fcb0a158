import type { PoolClient } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  eventually,
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import type { RestAnswer } from '../support/harness.ts';
import { useHarness } from '../support/use-harness.ts';

/** A quarter of the twelve connections. */
const share = 3;
const places = 6;
const waiting = 2;
let greedy: TestTenant;
let payee: TestPayee;
let stranger: TestTenant;
let lock: PoolClient;

const harness = useHarness({
  shipped: true,
  worker: false,
  env: {
    RATE_LIMIT_THIN: '1000000',
    TENANT_REQUESTS_AT_ONCE: String(places),
    TENANT_REQUESTS_WAITING: String(waiting),
    TENANT_BULKS_WAITING: '1',
    TENANT_WAIT_MS: '400',
  },
});

beforeEach(async () => {
  greedy = await makeTenant(harness);
  payee = await makePayee(harness, greedy.key);
  stranger = await makeTenant(harness);
  lock = await harness.database.pool.connect();
  await lock.query('BEGIN');
});
afterEach(() => {
  // Closed, so that a test that failed holds nobody up.
  lock.release(true);
});

/** Lets every payout of the greedy tenant wait, each in its own connection. */
const stopPayouts = () =>
  lock.query('SELECT 1 FROM beneficiary WHERE id = $1 FOR UPDATE', [payee.beneficiaryId]);

/** Asked outside the open transaction, which would be shown one snapshot of it again and again. */
async function statementsThatWait(): Promise<number> {
  const { rows } = await harness.database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'payouts-api'
       AND wait_event_type = 'Lock'`,
  );
  return rows[0]?.n ?? 0;
}

const untilWaiting = (count: number) =>
  eventually(async () => (await statementsThatWait()) === count);

const create = () =>
  harness.rest('POST', '/v1/payouts', { key: greedy.key, body: payoutBody(payee) });

const bulk = (rows: number) =>
  harness.rest('POST', '/v1/payouts/bulk', {
    key: greedy.key,
    body: { payouts: Array.from({ length: rows }, () => payoutBody(payee)) },
  });

function expectTurnedAway(answer: RestAnswer, code = 'too_many_requests'): void {
  expect(answer.status).toBe(429);
  expect(answer.body.error.code).toBe(code);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  expect(answer.headers.get('ratelimit')).toMatch(/^"tenant";r=\d+;t=\d+$/);
}

describe('a tenant whose statements all wait', () => {
  it('holds its share of the connections and no more, and a stranger is answered', async () => {
    await stopPayouts();
    const stopped = Array.from({ length: share }, create);
    await untilWaiting(share);
    const surplus = Array.from({ length: places - share + waiting + 4 }, create);
    const page = await harness.rest('GET', '/v1/payouts', { key: stranger.key });
    expect(page.status).toBe(200);
    expect(await statementsThatWait()).toBe(share);
    for (const answer of await Promise.all(surplus)) expectTurnedAway(answer);
    await lock.query('COMMIT');
    for (const { status } of await Promise.all(stopped)) expect(status).toBe(201);
    expect((await create()).status).toBe(201);
  });

  it('is told to wait when it reads, over REST and GraphQL', async () => {
    await stopPayouts();
    const stopped = Array.from({ length: share }, create);
    await untilWaiting(share);
    expectTurnedAway(await harness.rest('GET', '/v1/payouts', { key: greedy.key }));
    const query = '{ payouts(first: 1) { edges { node { id } } } }';
    const answer = await harness.graphql(greedy.key, query);
    expect(answer.status).toBe(429);
    expect(answer.body.errors[0].extensions.code).toBe('too_many_requests');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await harness.graphql(stranger.key, query)).body.errors).toBeUndefined();
    await lock.query('COMMIT');
    await Promise.all(stopped);
  });

  it('holds the places of callers that went away until their work is over', async () => {
    await stopPayouts();
    const leaving = new AbortController();
    const gone = Array.from({ length: share }, () =>
      fetch(`${harness.baseUrl}/v1/payouts`, {
        method: 'POST',
        signal: leaving.signal,
        headers: { authorization: `Bearer ${greedy.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(payoutBody(payee)),
      }).catch(() => null),
    );
    await untilWaiting(share);
    leaving.abort();
    await Promise.all(gone);
    const surplus = await Promise.all(Array.from({ length: 8 }, create));
    for (const answer of surplus) expectTurnedAway(answer);
    expect(await statementsThatWait()).toBe(share);
    await lock.query('COMMIT');
    await eventually(async () => (await create()).status === 201);
  });
});

describe('long bulks of a tenant', () => {
  it('run one at a time, beside its single requests', async () => {
    await stopPayouts();
    const running = bulk(30);
    await untilWaiting(1);
    const waitingBulk = bulk(30);
    expectTurnedAway(await waitingBulk);
    const crowd = await Promise.all([bulk(30), bulk(30), bulk(30)]);
    for (const answer of crowd) expectTurnedAway(answer);
    expect(await statementsThatWait()).toBe(1);
    expect((await harness.rest('GET', '/v1/payouts', { key: greedy.key })).status).toBe(200);
    await lock.query('COMMIT');
    expect((await running).body.summary.created).toBe(30);
    const next = await Promise.all([bulk(30), bulk(30)]);
    for (const { body } of next) expect(body.summary.created).toBe(30);
  });

  it('leave nothing of a bulk that was turned away', async () => {
    await stopPayouts();
    const running = bulk(30);
    await untilWaiting(1);
    expectTurnedAway(await bulk(30));
    await lock.query('COMMIT');
    await running;
    const { rows } = await harness.database.pool.query(
      'SELECT count(*)::int AS n FROM payout WHERE tenant_id = $1',
      [greedy.tenantId],
    );
    expect(rows).toEqual([{ n: 30 }]);
  });
});

it('callers without a key have a share of their own', async () => {
  const open = (key = 'x'.repeat(43)) => harness.rest('GET', `/collect/${key}`);
  expect((await open()).status).toBe(404);
  await lock.query("SELECT 1 FROM rate_limit WHERE scope LIKE 'collection:address:%' FOR UPDATE");
  const stopped = Array.from({ length: share }, () => open());
  await untilWaiting(share);
  const surplus = await Promise.all([open(), open()]);
  for (const { status } of surplus) expect(status).toBe(429);
  expect((await harness.rest('GET', '/v1/payouts', { key: stranger.key })).status).toBe(200);
  await lock.query('COMMIT');
  for (const { status } of await Promise.all(stopped)) expect(status).toBe(404);
});
