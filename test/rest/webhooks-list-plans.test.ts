import { afterAll, beforeAll, expect, test } from 'vitest';
import { idBoundary, newId } from '../../src/values/ids.ts';
import { makePayee, payoutBody } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';
import { recordStatements, rowsLookedAt } from '../support/plans.ts';
import { useHarness, useTenant } from '../support/use-harness.ts';

const total = 200_000;
const minute = 60_000;
/** A delivery a minute, so that the oldest are 139 days old. */
const start = Date.parse('2026-01-01T00:00:00Z');
let payoutId: string;

const recording = recordStatements((text) => text.includes('"webhook_delivery"'));

const harness = useHarness({ worker: false });
const tenant = useTenant(harness);

beforeAll(async () => {
  const payee = await makePayee(harness, tenant.key);
  const created = await harness.rest('POST', '/v1/payouts', {
    key: tenant.key,
    body: payoutBody(payee),
  });
  payoutId = created.body.payout.id;
  await seed();
}, longTestMs);

afterAll(recording.stop);

/**
 * One in two thousand is dead, another is of a rare type; all others are alike. They are a hundred each,
 * so that no sample of ANALYZE misses them.
 */
async function seed(): Promise<void> {
  const { pool } = harness.database;
  for (let made = 0; made < total; made += 50_000) {
    const ids = Array.from({ length: 50_000 }, (_, n) =>
      idBoundary('webhookDelivery', start + (made + n) * minute),
    );
    await pool.query(
      `WITH given AS (
         SELECT g.id, replace(g.id, 'wdl', 'evt') AS event_id, g.number + $3 AS place,
           $4::timestamptz + (g.number + $3 - 1) * interval '1 minute' AS at
         FROM unnest($2::text[]) WITH ORDINALITY AS g (id, number)
       ), events AS (
         INSERT INTO event (tenant_id, id, payout_id, type, discriminator, data)
         SELECT $1, g.event_id, CASE WHEN g.place % 50000 = 7 THEN $5 END,
           CASE WHEN g.place % 50000 = 7 THEN 'payout.disbursed' ELSE 'webhook.test' END, g.id, '{}'
         FROM given g
       )
       INSERT INTO webhook_delivery (
         tenant_id, id, event_id, event_type, subscription_id, status, attempts, created_at, completed_at
       )
       SELECT $1, g.id, g.event_id,
         CASE WHEN g.place % 2000 = 2 THEN 'payout.failed' ELSE 'payout.disbursed' END, 'whs',
         CASE WHEN g.place % 2000 = 1 THEN 'dead' ELSE 'delivered' END, 1, g.at, g.at
       FROM given g`,
      [tenant.tenantId, ids, made, new Date(start), payoutId],
    );
  }
  await pool.query('VACUUM ANALYZE webhook_delivery');
  await pool.query('ANALYZE event');
}

async function list(filter: string): Promise<{ count: number; looked: number[] }> {
  recording.sent.length = 0;
  const answer = await harness.rest(
    'GET',
    `/v1/webhook-subscriptions/deliveries?limit=25&${filter}`,
    { key: tenant.key },
  );
  expect(answer.status).toBe(200);
  const statement = recording.sent.find(({ text }) => text.includes('LIMIT'));
  if (statement === undefined) throw new Error('the list sent nothing');
  return {
    count: answer.body.deliveries.length,
    looked: await rowsLookedAt(harness.database.pool, statement),
  };
}

const day = (number: number): string => new Date(start + number * 24 * 60 * minute).toISOString();

test.each([
  ['without a filter', '', 25],
  ['a rare status', 'status=dead', 25],
  ['a common status', 'status=delivered', 25],
  ['a status that none has', 'status=pending', 0],
  ['a rare type', 'event_type=payout.failed', 25],
  ['a common type', 'event_type=payout.disbursed', 25],
  ['a rare status of a common type', 'status=dead&event_type=payout.disbursed', 25],
  ['a rare type with a common status', 'status=delivered&event_type=payout.failed', 25],
  ['an old window', `created_since=${day(1)}&created_before=${day(2)}`, 25],
  [
    'an old window without any',
    `created_since=2025-01-01T00:00:00Z&created_before=2025-02-01T00:00:00Z`,
    0,
  ],
  [
    'a rare status in a window',
    `status=dead&created_since=${day(20)}&created_before=${day(30)}`,
    7,
  ],
])('%s walks no more than its few rows', async (_what, filter, expected) => {
  const { count, looked: counts } = await list(filter);
  expect(count).toBe(expected);
  for (const rows of counts) expect(rows).toBeLessThan(1_000);
});

test('a payout’s deliveries are found by way of its events', async () => {
  const { count, looked: counts } = await list(`payout_id=${payoutId}`);
  expect(count).toBe(4);
  for (const rows of counts) expect(rows).toBeLessThan(1_000);
  expect((await list(`payout_id=${newId('payout')}`)).count).toBe(0);
});

test('a replay of a window is counted and bounded in one statement', async () => {
  await harness.rest('POST', '/v1/webhook-subscriptions', {
    key: tenant.key,
    body: { url: 'https://localhost/hook', enabled_events: ['payout.disbursed'] },
  });
  const redeliver = (body: object) =>
    harness.rest('POST', '/v1/webhook-subscriptions/deliveries/redeliver', {
      key: tenant.key,
      body: { created_since: day(0), created_before: day(140), ...body },
    });
  const dry = await redeliver({ status: 'delivered', dry_run: true });
  expect(dry.body.redelivery).toMatchObject({ count: 10_000, remaining: 100_000 });
  const planned = await redeliver({ status: 'delivered' });
  expect(planned.body.redelivery).toMatchObject({ count: 10_000, remaining: 100_000 });
  const one = await redeliver({ payout_id: payoutId, status: 'delivered' });
  expect(one.body.redelivery).toMatchObject({ count: 3, remaining: 0 });
});
