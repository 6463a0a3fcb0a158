import { beforeEach, expect, it } from 'vitest';
import {
  makePayee,
  makeTenant,
  payoutBody,
  type TestPayee,
  type TestTenant,
} from '../support/factory.ts';
import { startHarness, type RestAnswer } from '../support/harness.ts';
import { useHarness } from '../support/use-harness.ts';

const quota = 120;
let tenant: TestTenant;
let payee: TestPayee;

const harness = useHarness({
  shipped: true,
  worker: false,
  env: { RATE_LIMIT_THIN: String(quota) },
});
beforeEach(async () => {
  tenant = await makeTenant(harness);
  payee = await makePayee(harness, tenant.key);
  await harness.database.pool.query('DELETE FROM rate_limit');
});

function left({ headers }: RestAnswer): number {
  return Number(/^"tenant";r=(\d+);t=\d+$/.exec(headers.get('ratelimit') ?? '')?.[1]);
}

const bulk = (rows: number, more: object = {}) =>
  harness.rest('POST', '/v1/payouts/bulk', {
    key: tenant.key,
    body: { payouts: Array.from({ length: rows }, () => payoutBody(payee)), ...more },
  });

it('a newcomer runs two bulks of a thousand in a minute, and then waits', async () => {
  const first = await bulk(1_000);
  expect(first.body.summary.created).toBe(1_000);
  expect(left(first)).toBe(quota - 50);
  const second = await bulk(1_000);
  expect(second.body.summary.created).toBe(1_000);
  expect(left(second)).toBe(quota - 100);
  const third = await bulk(1_000);
  expect(third.status).toBe(429);
  expect(third.body.error.code).toBe('RATE_LIMITED');
  expect(third.body.error.message).toContain('counts as 50 requests; 20 of 120 are left');
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
  // The refused bulk was one request, and there are more.
  expect(left(third)).toBe(quota - 101);
  const single = await harness.rest('GET', '/v1/payouts', { key: tenant.key });
  expect(single.status).toBe(200);
  expect(left(single)).toBe(quota - 102);
});

it('a bulk may use up exactly what is left, and no more', async () => {
  for (let each = 0; each < 2; each += 1) await bulk(1_000, { dry_run: true });
  const exact = await bulk(400);
  expect([exact.status, exact.body.summary.created, left(exact)]).toEqual([200, 400, 0]);
  expect((await bulk(1)).status).toBe(429);
});

it('a bulk that is one row too long writes nothing, and what it left can still be used up', async () => {
  for (let each = 0; each < 2; each += 1) await bulk(1_000, { dry_run: true });
  const over = await bulk(401);
  expect([over.status, over.body.error.code, left(over)]).toEqual([429, 'RATE_LIMITED', 19]);
  const { rows } = await harness.database.pool.query(
    'SELECT count(*)::int AS n FROM payout WHERE beneficiary_id = $1',
    [payee.beneficiaryId],
  );
  expect(rows).toEqual([{ n: 0 }]);
  const exact = await bulk(380);
  expect([exact.status, exact.body.summary.created, left(exact)]).toEqual([200, 380, 0]);
});

it('short bulks are one request, dry runs count as others do', async () => {
  expect(left(await bulk(20))).toBe(quota - 1);
  expect(left(await bulk(21))).toBe(quota - 3);
  expect(left(await bulk(40, { dry_run: true }))).toBe(quota - 5);
});

it('bulk decisions and invites count their rows, as JSON and as CSV', async () => {
  const payoutIds = Array.from({ length: 100 }, () => 'pay_unknown');
  const query = 'mutation ($ids: [ID!]!) { payoutBulkApprove(payoutIds: $ids) { error { code } } }';
  const decided = await harness.graphql(tenant.key, query, { ids: payoutIds });
  expect(decided.body.data.payoutBulkApprove).toHaveLength(100);
  expect(left(decided)).toBe(quota - 5);
  const person = { beneficiary_type: 'person', first_name: 'Ada', last_name: 'Lovelace' };
  const rows = Array.from({ length: 60 }, (_, i) => ({ ...person, email: `a${i}@example.com` }));
  const path = '/v1/beneficiaries/bulk-invites';
  const json = await harness.rest('POST', path, { key: tenant.key, body: { rows } });
  expect(json.body.summary.invited).toBe(60);
  expect(left(json)).toBe(quota - 8);
  const csv = await harness.rest('POST', path, {
    key: tenant.key,
    headers: { 'content-type': 'text/csv' },
    body: `email,beneficiary_type,first_name,last_name\n${rows
      .map(({ email }) => `b${email},person,Ada,Lovelace`)
      .join('\n')}\n`,
  });
  expect(csv.body.summary.invited).toBe(60);
  expect(left(csv)).toBe(quota - 11);
});

it('a call never counts as more than a whole minute', async () => {
  const small = await startHarness({
    shipped: true,
    worker: false,
    env: { RATE_LIMIT_THIN: '10' },
  });
  try {
    const { key } = await makeTenant(small);
    const ids = Array.from({ length: 100 }, () => 'pay_unknown');
    const query =
      'mutation ($ids: [ID!]!) { payoutBulkReject(payoutIds: $ids, reasons: []) { payoutId } }';
    const first = await small.graphql(key, query, { ids });
    expect(first.body.data.payoutBulkReject).toHaveLength(100);
    expect(left(first)).toBe(5);
  } finally {
    await small.close();
  }
});

it('a costly GraphQL operation counts as several requests, each of several operations for itself', async () => {
  const fields = Array.from({ length: 60 }, (_, i) => `f${i}: state`).join(' ');
  const costly = `query Costly { payouts(first: 100) { edges { node { ${fields} } } } }`;
  const first = await harness.graphql(tenant.key, costly);
  expect(first.status).toBe(200);
  const spent = quota - left(first);
  expect(spent).toBeGreaterThan(1);
  const both = {
    query: `${costly} query Cheap { me { userId } }`,
    operationName: 'Cheap',
  };
  const cheap = await harness.rest('POST', '/graphql', { key: tenant.key, body: both });
  expect(left(cheap)).toBe(left(first) - 1);
  let last = cheap;
  for (let i = 0; i < quota && last.status === 200; i += 1) {
    last = await harness.graphql(tenant.key, costly);
  }
  expect(last.status).toBe(429);
  expect(last.body.errors[0].extensions.code).toBe('RATE_LIMITED');
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
});
