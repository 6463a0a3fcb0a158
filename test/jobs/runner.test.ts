import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorker, type WorkerHandle } from '../../jobs/runner.ts';
import { eventually, makePayee, makeTenant, payoutBody } from '../support/factory.ts';
import { useHarness } from '../support/use-harness.ts';

const harness = useHarness({ worker: false, env: { WORKER_HEARTBEAT_MS: '250' } });
let worker: WorkerHandle;
const vitests = process.listeners('unhandledRejection');

/** Rejections that nobody handles go to the worker first, as in its own process (src/worker.ts). */
beforeAll(async () => {
  worker = await startWorker(harness.services);
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason, promise) => {
    if (!worker.mends(reason)) for (const listener of vitests) listener(reason, promise);
  });
});
afterAll(async () => {
  await worker.stop();
  process.removeAllListeners('unhandledRejection');
  for (const listener of vitests) process.on('unhandledRejection', listener);
});

/** A payout that nobody has to approve, followed to its end. */
async function settles(key: string): Promise<boolean> {
  const payee = await makePayee(harness, key);
  const { body } = await harness.rest('POST', '/v1/payouts', {
    key,
    body: payoutBody(payee, { validator_strategy: 'auto' }),
  });
  return eventually(async () => {
    const answer = await harness.rest('GET', `/v1/payouts/${body.payout.id}`, { key });
    return answer.body.payout?.state === 'settled';
  });
}

it('goes on when graphile-worker is told that its schema was migrated, and shut down', async () => {
  const { pool } = harness.database;
  const { key } = await makeTenant(harness);
  const alive = async () =>
    (await pool.query<{ id: string }>('SELECT id FROM worker_heartbeat')).rows.map(({ id }) => id);
  const before = await alive();
  await pool.query(`SELECT pg_notify('worker:migrate', '{"migrationNumber":1,"breaking":true}')`);
  await eventually(async () => {
    const now = await alive();
    return now.length === 1 && now[0] !== before[0];
  });
  expect(await settles(key)).toBe(true);
  expect(process.exitCode).toBeUndefined();
});

it('gives back what it holds when the session that listens for jobs was cut', async () => {
  const { pool } = harness.database;
  const { rows: before } = await pool.query<{ id: string; pool_id: string }>(
    'SELECT id, pool_id FROM worker_heartbeat',
  );
  // A job that it has ended, as it was before: a restart of PostgreSQL undid the end.
  await pool.query(`SELECT graphile_worker.add_job('unknown', job_key => 'undone')`);
  const locked = await pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = $1, attempts = 1 WHERE key = 'undone'`,
    [before[0]?.pool_id],
  );
  expect(locked.rowCount).toBe(1);
  // A session that is cut within its first second does not count.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  await pool.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND query LIKE 'LISTEN "jobs:insert"%'`,
  );
  await eventually(async () => {
    const { rows } = await pool.query(
      `SELECT FROM graphile_worker.jobs WHERE key = 'undone' AND locked_at IS NULL`,
    );
    return rows.length === 1;
  });
  await pool.query(`SELECT graphile_worker.remove_job('undone')`);
  expect(await settles((await makeTenant(harness)).key)).toBe(true);
});

it('goes on after every connection to PostgreSQL was cut', async () => {
  const tenant = await makeTenant(harness);
  const payee = await makePayee(harness, tenant.key);
  const { pool } = harness.database;
  for (let round = 1; round <= 3; round += 1) {
    await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND application_name LIKE 'payouts-%'`,
    );
    const created = await eventually(async () => {
      const answer = await harness.rest('POST', '/v1/payouts', {
        key: tenant.key,
        body: payoutBody(payee, { validator_strategy: 'auto' }),
      });
      return answer.status === 201 ? answer.body.payout : null;
    });
    const settled = await eventually(async () => {
      const { body } = await harness.rest('GET', `/v1/payouts/${created.id}`, { key: tenant.key });
      return body.payout?.state === 'settled';
    });
    expect(settled).toBe(true);
  }
});
