import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  sweepDeliveries,
  type SweepPosition,
} from '../../../../src/domain/webhook/schedule/sweep.ts';
import type { Call } from '../../../../src/process/services.ts';
import { startDeliveryBench, type DeliveryBench } from '../delivery/deliver-support.ts';

let bench: DeliveryBench;
let call: Call;

beforeAll(async () => {
  bench = await startDeliveryBench();
});

afterAll(() => bench.close());

beforeEach(async () => {
  await bench.database.reset();
  call = await bench.makeCall();
  await bench.subscribe(call);
});

const loseJobs = () =>
  bench.database.pool.query(
    'SELECT graphile_worker.complete_jobs(array_agg(id)) FROM graphile_worker.jobs',
  );

test('a due delivery without a job gets one', async () => {
  const deliveryId = await bench.plan(call);
  await loseJobs();
  expect(await bench.job(deliveryId)).toBeNull();
  await expect(sweepDeliveries(bench.services)).resolves.toBe(1);
  expect(await bench.job(deliveryId)).not.toBeNull();
  await expect(sweepDeliveries(bench.services)).resolves.toBe(0);
});

test('a delivery that has a job, is not due or has ended gets none', async () => {
  await bench.plan(call);
  const later = await bench.plan(call);
  const done = await bench.plan(call);
  await bench.run(call, done);
  const { pool } = bench.database;
  await pool.query(`SELECT graphile_worker.remove_job($1), graphile_worker.remove_job($2)`, [
    later,
    done,
  ]);
  await pool.query(
    `UPDATE webhook_delivery SET next_attempt_at = now() + interval '2 minutes' WHERE id = $1`,
    [later],
  );
  await expect(sweepDeliveries(bench.services)).resolves.toBe(0);
});

test('a job that gave up, or waits far longer than its delivery, is replaced', async () => {
  const [gaveUp, far] = [await bench.plan(call), await bench.plan(call)];
  const { pool } = bench.database;
  await pool.query(
    `SELECT graphile_worker.permanently_fail_jobs(array_agg(id), 'test') FROM graphile_worker.jobs WHERE key = $1`,
    [gaveUp],
  );
  await pool.query(
    `SELECT graphile_worker.reschedule_jobs(array_agg(id), run_at := now() + interval '1 hour', attempts := 7)
     FROM graphile_worker.jobs WHERE key = $1`,
    [far],
  );
  await expect(sweepDeliveries(bench.services)).resolves.toBe(2);
  for (const key of [gaveUp, far]) {
    const job = await bench.job(key);
    expect(job?.attempts).toBe(0);
    expect(job?.run_at.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  }
});

test('what falls due before the next sweep gets its job on time', async () => {
  const deliveryId = await bench.plan(call);
  await loseJobs();
  await bench.database.pool.query(
    `UPDATE webhook_delivery SET next_attempt_at = now() + interval '40 seconds' WHERE id = $1`,
    [deliveryId],
  );
  await expect(sweepDeliveries(bench.services)).resolves.toBe(1);
  const { next_attempt_at } = await bench.delivery(deliveryId);
  expect((await bench.job(deliveryId))?.run_at).toEqual(next_attempt_at);
});

test('more than one batch is swept, in one statement for each', async () => {
  await multiply(await bench.plan(call), 1_100);
  await expect(sweepDeliveries(bench.services)).resolves.toBe(1_100);
  await expect(sweepDeliveries(bench.services)).resolves.toBe(0);
});

test('one business’s backlog hides nobody: the next job goes on where a sweep ended', async () => {
  await multiply(await bench.plan(call), 10_100);
  const other = await bench.makeCall();
  await bench.subscribe(other);
  const orphan = await bench.plan(other);
  await bench.database.pool.query('SELECT graphile_worker.remove_job($1)', [orphan]);
  await expect(sweepDeliveries(bench.services)).resolves.toBe(9_999); // one has its job
  const onward = await continuation();
  expect(onward).not.toBeNull();
  expect(await bench.job(orphan)).toBeNull();
  // The next sweep by the clock leaves the continuation where it is.
  await expect(sweepDeliveries(bench.services)).resolves.toBe(0);
  expect(await continuation()).toEqual(onward);
  await expect(sweepDeliveries(bench.services, onward)).resolves.toBe(102);
  expect(await bench.job(orphan)).not.toBeNull();
});

/** Plans so many more deliveries like this one, without jobs. */
function multiply(deliveryId: string, more: number) {
  return bench.database.pool.query(
    `INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, next_attempt_at)
     SELECT tenant_id, id || '-' || n, event_id, event_type, subscription_id, next_attempt_at
     FROM webhook_delivery, generate_series(1, $2::integer) n WHERE id = $1`,
    [deliveryId, more],
  );
}

/** Where the continuation that waits is to begin. */
async function continuation(): Promise<SweepPosition | null> {
  const { rows } = await bench.database.pool.query<{ payload: { after: SweepPosition } }>(
    `SELECT j.payload FROM graphile_worker._private_jobs j
     JOIN graphile_worker._private_tasks t ON t.id = j.task_id WHERE t.identifier = 'sweep_webhooks'`,
  );
  return rows[0]?.payload.after ?? null;
}
