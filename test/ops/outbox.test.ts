import { expect, it } from 'vitest';
import { relayBatch } from '../../jobs/relay-batch.ts';
import { useOperatedPayouts } from './payouts-support.ts';

const { world, parts } = useOperatedPayouts();
const { approved, sql } = world;

/** What operators see of the jobs of a payout. */
const shown = (payoutId: string) =>
  parts.operator.sql<{ id: number | null; state: string; job_key: string }>(
    'SELECT id, state, job_key FROM ops.jobs WHERE subject_id = $1 ORDER BY id NULLS FIRST',
    [payoutId],
  );
const dryRun = `SELECT count(*) AS n FROM ops.cancel_jobs('disburse_payout', $1)`;
const cancel = `SELECT count(*) AS n FROM ops.cancel_jobs('disburse_payout', $1, dry_run => false, reason => 'x')`;

it('a job in the outbox is seen, with its age, before a worker takes it over', async () => {
  const id = await approved();
  expect(await shown(id)).toEqual([{ id: null, state: 'outbox', job_key: `disburse ${id}` }]);
  const { tenantId } = world.tenant;
  const [line] = await parts.operator.sql<{ jobs: number; young: boolean }>(
    `SELECT jobs, oldest_for < interval '1 hour' AS young FROM ops.outbox
     WHERE tenant_id = $1 AND task = 'disburse_payout'`,
    [tenantId],
  );
  expect(line).toMatchObject({ young: true });
  expect(line?.jobs).toBeGreaterThan(0);
  const lines = await parts.operator.sql<{ what: string }>('SELECT what FROM ops.timeline($1)', [
    id,
  ]);
  expect(lines.map(({ what }) => what)).toContain('job in the outbox');
});

it('a job in the outbox shows who works on its payout', async () => {
  const id = await approved();
  const takenBy = 'SELECT taken_by FROM ops.jobs WHERE subject_id = $1';
  expect(await parts.operator.row(takenBy, [id])).toEqual({ taken_by: null });
  const taken = await parts.operator.row<{ taken_by: string }>(
    `SELECT taken_by FROM ops.take($1, 'asks the provider')`,
    [id],
  );
  expect(taken.taken_by).toContain(parts.operator.name);
  expect(await parts.operator.row(takenBy, [id])).toEqual(taken);
});

it('a payout whose job stays in the outbox is stuck, and the reason says so', async () => {
  const id = await approved();
  await sql(`UPDATE payout SET updated_at = now() - interval '10 minutes' WHERE id = $1`, [id]);
  const reason = async () =>
    (
      await parts.operator.sql<{ reason: string }>(
        'SELECT reason FROM ops.stuck_payouts WHERE payout_id = $1',
        [id],
      )
    )[0]?.reason;
  expect(await reason()).toBe('no_worker');
  await sql(
    `INSERT INTO worker_heartbeat (id, pool_id, hostname, pid) VALUES ('wrk_1', 'pool', 'host', 1)`,
  );
  expect(await reason()).toBe('in_outbox');
  await sql('DELETE FROM worker_heartbeat');
});

const schedule = `SELECT job_id FROM ops.schedule('disburse_payout', $1, now() + interval '1 hour', 'x')`;

it('a job that an operator adds replaces the one in the outbox, whatever a relay does', async () => {
  const id = await approved();
  const { job_id: job } = await parts.operator.row<{ job_id: number }>(schedule, [id]);
  const ordered = [{ id: job, state: 'scheduled', job_key: `disburse ${id}` }];
  expect(await shown(id)).toEqual(ordered);
  await relayBatch(world.harness.services.pool, null);
  expect(await shown(id)).toEqual(ordered);
  expect(await sql('SELECT 1 FROM job_outbox WHERE job_key = $1', [`disburse ${id}`])).toEqual([]);
});

it('an order that is cut off leaves the job in the outbox, and a relay adds it', async () => {
  const id = await approved();
  const session = await parts.operator.session();
  await session.query('BEGIN');
  await session.query(schedule, [id]);
  await session.query('ROLLBACK');
  expect(await shown(id)).toMatchObject([{ id: null, state: 'outbox' }]);
  await relayBatch(world.harness.services.pool, null);
  expect(await shown(id)).toMatchObject([{ state: 'ready', job_key: `disburse ${id}` }]);
});

it('canceling the jobs of a task cancels those of the outbox too', async () => {
  const id = await approved();
  const { tenantId } = world.tenant;
  await parts.operator.sql(dryRun, [tenantId]);
  expect(await shown(id)).toMatchObject([{ state: 'outbox' }]);
  const [done] = await parts.operator.sql<{ n: number }>(cancel, [tenantId]);
  expect(done?.n).toBeGreaterThan(0);
  expect(await shown(id)).toEqual([]);
});
