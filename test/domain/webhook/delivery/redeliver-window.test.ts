import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { makeScope, type Actor } from '../../../../src/access/scope.ts';
import { deliverWebhook } from '../../../../src/domain/webhook/delivery/deliver.ts';
import { deleteSubscription } from '../../../../src/domain/webhook/subscription/delete.ts';
import { createLanes } from '../../../../src/domain/webhook/schedule/lanes.ts';
import { recallDeliveries } from '../../../../src/domain/webhook/schedule/queue-store.ts';
import { redeliverWebhook } from '../../../../src/domain/webhook/delivery/redeliver.ts';
import {
  redeliverWindow,
  type RedeliverWindowInput,
} from '../../../../src/domain/webhook/delivery/redeliver-window.ts';
import { createWebhookSender } from '../../../../src/domain/webhook/delivery/sender.ts';
import { sweepDeliveries } from '../../../../src/domain/webhook/schedule/sweep.ts';
import { updateSubscription } from '../../../../src/domain/webhook/subscription/update.ts';
import { idBoundary, newId } from '../../../../src/values/ids.ts';
import type { Call } from '../../../../src/process/services.ts';
import { patient, startDeliveryBench, type DeliveryBench } from './deliver-support.ts';

const hour = 3_600_000;
let bench: DeliveryBench;
let call: Call;

beforeAll(async () => {
  bench = await startDeliveryBench();
});

afterAll(() => bench.close());

beforeEach(async () => {
  await bench.database.reset();
  bench.received.length = 0;
  bench.answer = (response) => void response.end();
  call = await bench.makeCall();
  await bench.subscribe(call);
});

const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
const lastDay = (): RedeliverWindowInput => ({
  createdSince: at(-24 * hour),
  createdBefore: at(hour),
});

/** Deliveries that ended, as they are in the table; `ago` is how long ago they were planned. */
async function ended(
  count: number,
  {
    of = call,
    status = 'dead',
    ago = 0,
    type = 'payout.disbursed',
  }: { of?: Call; status?: string; ago?: number; type?: string } = {},
): Promise<string[]> {
  const model = await bench.plan(of);
  const ids = Array.from({ length: count }, (_, n) =>
    // Ids of their time, as the process that planned them would have made them.
    idBoundary('webhookDelivery', Date.now() - ago + n).replace(/.{8}$/, newId('event').slice(-8)),
  );
  await bench.database.pool.query(
    `INSERT INTO webhook_delivery (
       tenant_id, id, event_id, event_type, subscription_id, status, attempts, created_at, completed_at
     )
     SELECT d.tenant_id, n.id, d.event_id, $4, d.subscription_id, $3, 8, now() - $5 * interval '1 ms', now()
     FROM webhook_delivery d, unnest($2::text[]) AS n (id) WHERE d.id = $1`,
    [model, ids, status, type, ago],
  );
  await bench.database.pool.query('SELECT graphile_worker.remove_job($1)', [model]);
  await bench.database.pool.query('DELETE FROM webhook_delivery WHERE id = $1', [model]);
  return ids;
}

interface Row {
  readonly id: string;
  readonly status: string;
  readonly round_start: number;
  readonly replay_at: Date | null;
  readonly next_attempt_at: Date | null;
}

async function rowsOf(ids: readonly string[]): Promise<Row[]> {
  const { rows } = await bench.database.pool.query<Row>(
    `SELECT id, status, round_start, replay_at, next_attempt_at
     FROM webhook_delivery WHERE id = ANY ($1) ORDER BY id`,
    [ids],
  );
  return rows;
}

const sweepJob = () => bench.job('sweep_webhooks');

test('plans the dead deliveries of the window again, one after the other', async () => {
  const ids = await ended(3);
  const delivered = await ended(1, { status: 'delivered' });
  const before = await ended(1, { ago: 30 * hour });
  const result = await redeliverWindow(call, lastDay());
  expect(result).toMatchObject({ count: 3, remaining: 0, dryRun: false });
  const rows = await rowsOf(ids);
  expect(rows).toMatchObject(
    ids.map((id) => ({ id, status: 'pending', round_start: 8, replay_at: expect.any(Date) })),
  );
  const times = rows.map((row) => row.next_attempt_at?.getTime() ?? 0);
  expect(times).toEqual(rows.map((row) => row.replay_at?.getTime()));
  const [first = 0] = times;
  expect(times).toEqual([first, first + 50, first + 100]);
  expect([result.startsAt?.getTime(), result.endsAt?.getTime()]).toEqual([first, first + 100]);
  expect(await rowsOf(delivered)).toMatchObject([{ status: 'delivered' }]);
  expect(await rowsOf(before)).toMatchObject([{ status: 'dead' }]);
  expect(await sweepJob()).not.toBeNull();
});

test('a redelivered one arrives with its event’s id, its attempts kept and eight more to come', async () => {
  const deliveryId = await bench.plan(call);
  bench.answer = (response) => void response.writeHead(500).end();
  for (let attempt = 1; attempt <= 8; attempt += 1) await bench.run(call, deliveryId);
  await redeliverWindow(call, lastDay());
  for (let attempt = 1; attempt <= 7; attempt += 1) await bench.run(call, deliveryId);
  expect(await bench.delivery(deliveryId)).toMatchObject({ status: 'pending', attempts: 15 });
  bench.answer = (response) => void response.end();
  await bench.run(call, deliveryId);
  expect(await bench.delivery(deliveryId)).toMatchObject({ status: 'delivered', attempts: 16 });
  expect(new Set(bench.received.map(({ body }) => body.id)).size).toBe(1);
  expect(await bench.attempts(deliveryId)).toHaveLength(16);
});

test('the sweeper gives a replay’s deliveries jobs that come after all others', async () => {
  const [replayed] = await ended(1);
  await redeliverWindow(call, lastDay());
  const fresh = await bench.plan(call);
  await bench.database.pool.query('SELECT graphile_worker.remove_job($1)', [fresh]);
  await sweepDeliveries(bench.services);
  const { rows } = await bench.database.pool.query(
    `SELECT j.key, j.priority, p.payload FROM graphile_worker.jobs j
     JOIN graphile_worker._private_jobs p ON p.id = j.id WHERE j.key = ANY ($1) ORDER BY j.priority`,
    [[fresh, replayed]],
  );
  expect(rows).toMatchObject([
    { key: fresh, priority: 0, payload: { deliveryId: fresh } },
    { key: replayed, priority: 10, payload: { deliveryId: replayed, replay: true } },
  ]);
  expect(rows[0].payload).not.toHaveProperty('replay');
});

test('a replay that fails, or has to wait, goes on as one', async () => {
  const [id = ''] = await ended(1);
  await redeliverWindow(call, lastDay());
  bench.answer = (response) => void response.writeHead(500).end();
  await bench.run(call, id);
  const priority = async () => {
    const { rows } = await bench.database.pool.query<{ priority: number }>(
      'SELECT priority FROM graphile_worker.jobs WHERE key = $1',
      [id],
    );
    return rows[0]?.priority;
  };
  expect(await priority()).toBe(10);
  const { config, log } = bench.services;
  const sender = createWebhookSender(config, log, patient);
  const full = { ...sender, lanes: createLanes(1) };
  full.lanes.enter(call.scope.tenantId);
  await bench.database.pool.query(
    'UPDATE webhook_delivery SET next_attempt_at = now() WHERE id = $1',
    [id],
  );
  await deliverWebhook(call, id, { sender: full, replay: true });
  expect(await bench.delivery(id)).toMatchObject({ attempts: 9 });
  expect((await bench.delivery(id)).wait).toBeGreaterThan(0);
  expect(await priority()).toBe(10);
  await sender.close();
});

test('the limit is kept, the rest is counted, and the call made again takes it', async () => {
  const ids = await ended(5);
  const window = { ...lastDay(), limit: 2 };
  expect(await redeliverWindow(call, window)).toMatchObject({ count: 2, remaining: 3 });
  expect((await rowsOf(ids)).map(({ status }) => status)).toEqual([
    'pending',
    'pending',
    'dead',
    'dead',
    'dead',
  ]);
  // What was planned is still to come, however long this takes.
  await bench.database.pool.query(
    `UPDATE webhook_delivery SET replay_at = (replay_at AT TIME ZONE 'UTC' + interval '1 hour') AT TIME ZONE 'UTC'
     WHERE id = ANY ($1) AND replay_at IS NOT NULL`,
    [ids],
  );
  const second = await redeliverWindow(call, window);
  expect(second).toMatchObject({ count: 2, remaining: 1 });
  // It lines up behind what the first call planned.
  const [, last, next] = await rowsOf(ids);
  expect((next?.replay_at?.getTime() ?? 0) - (last?.replay_at?.getTime() ?? 0)).toBe(50);
  expect(await redeliverWindow(call, window)).toMatchObject({ count: 1, remaining: 0 });
  expect(await redeliverWindow(call, window)).toMatchObject({
    count: 0,
    remaining: 0,
    startsAt: null,
    endsAt: null,
  });
});

test('what was delivered again is left alone for an hour', async () => {
  const [id = ''] = await ended(1, { status: 'delivered' });
  const window = { ...lastDay(), status: 'delivered' };
  expect(await redeliverWindow(call, window)).toMatchObject({ count: 1 });
  await bench.run(call, id);
  expect(await redeliverWindow(call, window)).toMatchObject({ count: 0, remaining: 0 });
  await bench.database.pool.query(
    `UPDATE webhook_delivery SET replay_at = (replay_at AT TIME ZONE 'UTC' - interval '61 minutes') AT TIME ZONE 'UTC' WHERE id = $1`,
    [id],
  );
  expect(await redeliverWindow(call, window)).toMatchObject({ count: 1 });
});

test('leaves out the types that the subscription does not name today, but no test', async () => {
  const left = await ended(1, { type: 'payout.failed' });
  const tried = await ended(1, { type: 'webhook.test' });
  expect(await redeliverWindow(call, lastDay())).toMatchObject({ count: 1, remaining: 0 });
  expect(await rowsOf(left)).toMatchObject([{ status: 'dead' }]);
  expect(await rowsOf(tried)).toMatchObject([{ status: 'pending' }]);
  const one = { ...lastDay(), eventType: 'payout.failed', dryRun: true };
  expect(await redeliverWindow(call, one)).toMatchObject({ count: 0 });
});

test('conditions narrow the window', async () => {
  await updateSubscription(call, { enabledEvents: ['payout.disbursed', 'payout.failed'] });
  const failed = await ended(1, { type: 'payout.failed' });
  await ended(1);
  const canceled = await ended(1, { status: 'canceled' });
  const { payoutId, deliveryId } = await bench.disburse(call);
  await bench.database.pool.query(
    `UPDATE webhook_delivery SET status = 'dead', next_attempt_at = NULL WHERE id = $1`,
    [deliveryId],
  );
  const count = async (more: Partial<RedeliverWindowInput>) =>
    (await redeliverWindow(call, { ...lastDay(), ...more, dryRun: true })).count;
  expect(await count({})).toBe(3);
  expect(await count({ eventType: 'payout.failed' })).toBe(1);
  expect(await count({ status: 'canceled' })).toBe(1);
  expect(await count({ payoutId })).toBe(1);
  expect(await count({ payoutId, eventType: 'payout.failed' })).toBe(0);
  expect(await count({ payoutId: newId('payout') })).toBe(0);
  await redeliverWindow(call, { ...lastDay(), payoutId });
  expect((await rowsOf([deliveryId ?? '']))[0]?.status).toBe('pending');
  expect((await rowsOf([...failed, ...canceled])).map(({ status }) => status).toSorted()).toEqual([
    'canceled',
    'dead',
  ]);
});

test('a dry run says the same and changes nothing', async () => {
  const ids = await ended(3);
  const before = await rowsOf(ids);
  const dry = await redeliverWindow(call, { ...lastDay(), limit: 2, dryRun: true });
  expect(dry).toMatchObject({ count: 2, remaining: 1, dryRun: true, startsAt: expect.any(Date) });
  expect(await rowsOf(ids)).toEqual(before);
  expect(await sweepJob()).toBeNull();
});

test('two calls at once send each delivery once', async () => {
  const ids = await ended(200);
  const results = await Promise.all([
    redeliverWindow(call, lastDay()),
    redeliverWindow(call, lastDay()),
    redeliverWindow(call, lastDay()),
  ]);
  expect(results.map(({ count }) => count).reduce((a, b) => a + b)).toBe(200);
  const rows = await rowsOf(ids);
  expect(new Set(rows.map(({ replay_at }) => replay_at?.getTime())).size).toBe(200);
});

test.each([
  [{ createdSince: 'soon' }, 'createdSince', 'invalid_format'],
  [{ createdBefore: '2020-01-01T00:00:00Z' }, 'createdBefore', 'invalid_value'],
  [{ status: 'pending' }, 'status', 'invalid_value'],
  [{ eventType: 'payout.unheard' }, 'eventType', 'invalid_value'],
  [{ limit: 0 }, 'limit', 'too_small'],
  [{ limit: 10_001 }, 'limit', 'too_large'],
  [{ payoutId: '' }, 'payoutId', 'too_short'],
])('%j is refused', async (more, field, code) => {
  await expect(redeliverWindow(call, { ...lastDay(), ...more })).rejects.toMatchObject({
    code: 'validation_failed',
    details: [expect.objectContaining({ field, code })],
  });
});

test('needs an enabled subscription, and goes to that of today', async () => {
  const [id = ''] = await ended(1);
  await updateSubscription(call, { enabled: false });
  await expect(redeliverWindow(call, lastDay())).rejects.toMatchObject({ code: 'conflict' });
  await deleteSubscription(call);
  await expect(redeliverWindow(call, { ...lastDay(), dryRun: true })).rejects.toMatchObject({
    code: 'conflict',
  });
  await bench.subscribe(call);
  await redeliverWindow(call, lastDay());
  await bench.run(call, id);
  expect((await bench.delivery(id)).status).toBe('delivered');
});

test('touches no other tenant’s deliveries, and no role without the right', async () => {
  const other = await bench.makeCall();
  await bench.subscribe(other);
  const theirs = await ended(1, { of: other });
  expect(await redeliverWindow(call, lastDay())).toMatchObject({ count: 0 });
  expect(await rowsOf(theirs)).toMatchObject([{ status: 'dead' }]);
  const actor = { ...call.scope.actor, role: 'viewer' } as Actor;
  const viewer = { ...call, scope: makeScope({ ...call.scope, actor }) };
  await expect(redeliverWindow(viewer, lastDay())).rejects.toMatchObject({ code: 'forbidden' });
});

test('what a replay planned for later is not called back before its time', async () => {
  const ids = await ended(2);
  await redeliverWindow(call, lastDay());
  const [due = '', later = ''] = ids;
  const { pool } = bench.database;
  await pool.query(
    `UPDATE webhook_delivery SET next_attempt_at = now() + interval '20 days', replay_at = now() + interval '2 hours'
     WHERE id = ANY ($1)`,
    [ids],
  );
  await pool.query(
    `UPDATE webhook_delivery SET replay_at = now() - interval '1 minute' WHERE id = $1`,
    [due],
  );
  const fresh = await bench.plan(call);
  await pool.query(
    `UPDATE webhook_delivery SET next_attempt_at = now() + interval '20 days' WHERE id = $1`,
    [fresh],
  );
  await recallDeliveries(bench.services.pool, call.scope, { most: 10, paceMs: 1_000 }, 3_600);
  expect((await bench.delivery(fresh)).wait).toBeLessThanOrEqual(1);
  const put = await bench.delivery(due);
  expect(put.wait).toBeLessThanOrEqual(2);
  expect(put.next_attempt_at).toBeInstanceOf(Date);
  expect((await bench.delivery(later)).wait).toBeGreaterThan(hour / 1_000);
});

test('a single redelivery takes a delivery out of its replay', async () => {
  const [id = ''] = await ended(1);
  await redeliverWindow(call, lastDay());
  await redeliverWebhook(call, id);
  expect(await rowsOf([id])).toMatchObject([{ status: 'pending', replay_at: null }]);
  expect((await bench.delivery(id)).wait).toBeLessThanOrEqual(0);
});

test('enabling a subscription keeps the times of a replay', async () => {
  const [id = ''] = await ended(1);
  await redeliverWindow(call, lastDay());
  await bench.database.pool.query(
    `UPDATE webhook_delivery SET replay_at = now() + interval '1 hour', next_attempt_at = now() + interval '1 hour' WHERE id = $1`,
    [id],
  );
  await updateSubscription(call, { enabled: false });
  await updateSubscription(call, { enabled: true });
  expect((await bench.delivery(id)).wait).toBeGreaterThan(3_000);
});
