import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startWorker } from '../../jobs/runner.ts';
import { deleteSubscription } from '../../src/domain/webhook/subscription/delete.ts';
import { closeWebhookSender } from '../../src/domain/webhook/delivery/sender.ts';
import type { Call } from '../../src/process/services.ts';
import {
  startDeliveryBench,
  type DeliveryBench,
} from '../domain/webhook/delivery/deliver-support.ts';
import { eventually } from '../support/factory.ts';
import { makeOperator, type Operator } from './support.ts';
import { longTestMs } from '../support/patience.ts';

let bench: DeliveryBench;
let operator: Operator;
let call: Call;

beforeAll(async () => {
  bench = await startDeliveryBench();
  operator = await makeOperator(bench.database, 'ops_operate');
});

afterAll(async () => {
  await operator.leave();
  await bench.close();
});

beforeEach(async () => {
  await bench.database.reset();
  bench.received.length = 0;
  call = await bench.makeCall();
  await bench.subscribe(call);
});

interface Replayed {
  readonly replayed: number;
  readonly remaining: number;
  readonly first_at: Date | null;
  readonly last_at: Date | null;
  readonly note: string;
}

const replay = (
  given: string,
  tenantId = call.scope.tenantId,
  window = ['2026-01-01', '2999-01-01'],
): Promise<Replayed> =>
  operator.row<Replayed>(`SELECT * FROM ops.replay_dead_letters($1, $2, $3, ${given})`, [
    tenantId,
    ...window,
  ]);

/** Dead letters of one event, in one statement however many they are. */
async function dead(count: number, type = 'payout.disbursed', of = call): Promise<void> {
  const model = await bench.plan(of);
  const { pool } = bench.database;
  await pool.query(
    `INSERT INTO webhook_delivery (
       tenant_id, id, event_id, event_type, subscription_id, status, attempts, created_at, completed_at
     )
     SELECT tenant_id, id || '-' || n, event_id, $3, subscription_id, 'dead', 8, now(), now()
     FROM webhook_delivery, generate_series(1, $2::integer) n WHERE id = $1`,
    [model, count, type],
  );
  await pool.query('DELETE FROM webhook_delivery WHERE id = $1', [model]);
  await pool.query('SELECT graphile_worker.remove_job($1)', [model]);
}

async function statuses(): Promise<Record<string, number>> {
  const { rows } = await bench.database.pool.query<{ status: string; count: number }>(
    'SELECT status, count(*)::integer AS count FROM webhook_delivery GROUP BY status',
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]));
}

test('only counts without dry_run => false', async () => {
  await dead(3);
  expect(await replay('dry_run => true')).toMatchObject({
    replayed: 3,
    remaining: 0,
    first_at: null,
  });
  expect((await replay(`event_type => 'payout.failed'`)).replayed).toBe(0);
  expect((await replay('max_deliveries => 2')).remaining).toBe(1);
  expect(await statuses()).toEqual({ dead: 3 });
  expect(await operator.sql('SELECT * FROM ops.action_log')).toEqual([]);
});

test('plans the dead letters again over the given interval, and logs it', async () => {
  await dead(4);
  await dead(1, 'payout.failed');
  const act = `event_type => 'payout.disbursed', dry_run => false, max_deliveries => 3,
    spread => '30 minutes', reason => 'their outage is over'`;
  const first = await replay(act);
  expect(first).toMatchObject({ replayed: 3, remaining: 1 });
  const span = (first.last_at?.getTime() ?? 0) - (first.first_at?.getTime() ?? 0);
  expect(span).toBe(20 * 60_000);
  const { rows } = await bench.database.pool.query(
    `SELECT status, attempts, round_start, replay_at = next_attempt_at AS planned, completed_at
     FROM webhook_delivery WHERE status = 'pending'`,
  );
  const again = {
    status: 'pending',
    attempts: 8,
    round_start: 8,
    planned: true,
    completed_at: null,
  };
  expect(rows).toEqual([again, again, again]);

  // Made again, it takes the rest, behind the first; then there is nothing more.
  const second = await replay(act);
  expect(second).toMatchObject({ replayed: 1, remaining: 0 });
  expect(second.first_at?.getTime()).toBe((first.last_at?.getTime() ?? 0) + 30 * 60_000);
  expect(await replay(act)).toMatchObject({ replayed: 0, remaining: 0, first_at: null });
  expect(await statuses()).toEqual({ pending: 4, dead: 1 });
  expect(
    await operator.sql(
      `SELECT who, action, tenant_id, reason, affected, detail ->> 'event_type' AS type
       FROM ops.action_log ORDER BY id`,
    ),
  ).toEqual(
    [3, 1, 0].map((affected) => ({
      who: operator.name,
      action: 'replay_dead_letters',
      tenant_id: call.scope.tenantId,
      reason: 'their outage is over',
      affected,
      type: 'payout.disbursed',
    })),
  );
});

test('leaves out types that the subscription has not enabled, except test events', async () => {
  await dead(2, 'payout.failed');
  await dead(1, 'webhook.test');
  expect(await replay('dry_run => true')).toMatchObject({ replayed: 1, remaining: 0 });
  expect(await replay(`dry_run => false, reason => 'again'`)).toMatchObject({ replayed: 1 });
  expect(await statuses()).toEqual({ pending: 1, dead: 2 });
});

test('a planned delivery arrives with the id of its event', async () => {
  const deliveryId = await bench.plan(call);
  bench.answer = (response) => void response.writeHead(500).end();
  for (let attempt = 1; attempt <= 8; attempt += 1) await bench.run(call, deliveryId);
  await replay(`dry_run => false, reason => 'try again'`);
  bench.answer = (response) => void response.end();
  await bench.run(call, deliveryId);
  expect((await bench.delivery(deliveryId)).status).toBe('delivered');
  expect(new Set(bench.received.map(({ body }) => body.id)).size).toBe(1);
});

test('touches no other tenant', async () => {
  const other = await bench.makeCall();
  await bench.subscribe(other);
  await dead(2, 'payout.disbursed', other);
  expect((await replay(`dry_run => false, reason => 'ours'`)).replayed).toBe(0);
  expect(await statuses()).toEqual({ dead: 2 });
});

test.each([
  ['no reason', `dry_run => false`, undefined, '22023'],
  ['no tenant', `dry_run => false, reason => 'x'`, 'ten_unknown', 'P0002'],
  ['too many', `max_deliveries => 100001`, undefined, '22023'],
  ['a negative time', `spread => '-1 second'`, undefined, '22023'],
])('%s is refused', async (_what, given, tenantId, code) => {
  await expect(replay(given, tenantId)).rejects.toMatchObject({ code });
  await expect(
    replay('dry_run => true', undefined, ['2026-02-01', '2026-01-01']),
  ).rejects.toMatchObject({ code: '22023' });
});

test('a tenant without a subscription is refused, and a reader may not', async () => {
  await deleteSubscription(call);
  await expect(replay(`dry_run => false, reason => 'x'`)).rejects.toMatchObject({ code: '55000' });
  const reader = await makeOperator(bench.database, 'ops_read');
  const refused = await reader.refusal(
    `SELECT * FROM ops.replay_dead_letters('ten', '2026-01-01', '2026-01-02')`,
  );
  expect(refused.code).toBe('42501');
  await reader.leave();
});

test(
  'twenty thousand dead letters that are replayed delay no fresh delivery',
  { timeout: longTestMs },
  async () => {
    await dead(20_000);
    await bench.database.pool.query('ANALYZE webhook_delivery'); // as autovacuum does
    const result = await replay(
      `dry_run => false, max_deliveries => 20000, spread => '6 seconds', reason => 'catch up'`,
    );
    expect(result).toMatchObject({ replayed: 20_000, remaining: 0 });
    const { pool } = bench.database;
    const replayed = async (condition: string): Promise<number> => {
      const { rows } = await pool.query<{ count: number }>(
        `SELECT count(*)::integer AS count FROM webhook_delivery WHERE replay_at IS NOT NULL AND ${condition}`,
      );
      return rows[0]?.count ?? 0;
    };
    const queued = async (): Promise<number> => {
      const { rows } = await pool.query<{ count: number }>(
        'SELECT count(*)::integer AS count FROM graphile_worker.jobs WHERE priority > 0 AND run_at <= now()',
      );
      return rows[0]?.count ?? 0;
    };
    const worker = await startWorker(bench.services);
    try {
      // The replay is under way, and thousands of its jobs are older than those that come now.
      await eventually(async () => (await queued()) > 2_000);
      await eventually(async () => (await replayed(`status = 'delivered'`)) > 20);
      for (let fresh = 0; fresh < 20; fresh += 1) {
        const deliveryId = await bench.plan(call);
        await eventually(async () => (await bench.delivery(deliveryId)).status === 'delivered');
      }
      // What was replayed while a fresh one was on its way, at the median of twenty.
      const { rows } = await pool.query<{ overtaken: number }>(
        `SELECT percentile_disc(0.5) WITHIN GROUP (ORDER BY meanwhile)::integer AS overtaken FROM (
           SELECT (SELECT count(*) FROM webhook_delivery r WHERE r.tenant_id = f.tenant_id AND r.replay_at IS NOT NULL
             AND r.completed_at > f.created_at AND r.completed_at < f.completed_at) AS meanwhile
           FROM webhook_delivery f WHERE f.replay_at IS NULL
         ) x`,
      );
      expect(rows[0]?.overtaken).toBeLessThan(200);
      expect(await queued()).toBeGreaterThan(200);
      expect(await replayed(`status = 'pending'`)).toBeGreaterThan(0);
    } finally {
      await worker.stop();
      await closeWebhookSender(bench.services);
    }
  },
);
