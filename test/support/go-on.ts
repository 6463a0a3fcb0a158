import type { Pool } from 'pg';
import { handlers } from '../../jobs/handlers.ts';
import { relayBatch } from '../../jobs/relay-batch.ts';
import { reconcilePayouts } from '../../src/domain/reconciliation/reconcile.ts';
import type { Services } from '../../src/process/services.ts';
import { declarationOf, type TaskName } from '../../src/queue/tasks.ts';
import type { Harness } from './harness.ts';

/** Loses every job, and lets an hour pass. */
export async function laterWithoutJobs({ database: { pool } }: Harness): Promise<void> {
  await pool.query('DELETE FROM graphile_worker._private_jobs');
  await pool.query('DELETE FROM job_outbox');
  await later(pool);
  await pool.query(`UPDATE provider_event SET received_at = received_at - interval '1 hour'`);
  await pool.query(`UPDATE enrollment SET requested_at = requested_at - interval '1 hour'`);
}

async function later(pool: Pool): Promise<void> {
  await pool.query(`UPDATE payout SET updated_at = updated_at - interval '1 hour'`);
  await pool.query(
    `UPDATE disbursement_attempt
     SET called_at = called_at - interval '1 hour', looked_up_at = looked_up_at - interval '1 hour'`,
  );
}

/** What moves a payout; mails and deliveries are not among it. */
const tasks: readonly TaskName[] = [
  'disburse_payout',
  'apply_provider_event',
  'enroll_bank_account',
  'release_payouts',
];

/** A few rounds of the reconciliation and of the jobs that it adds, an hour apart. */
export async function goOn(services: Services, { database: { pool } }: Harness): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await reconcilePayouts(services);
    await relayBatch(services.pool, null);
    const { rows: jobs } = await pool.query<{ task: TaskName; payload: unknown }>(
      `DELETE FROM graphile_worker._private_jobs j USING graphile_worker._private_tasks t
       WHERE t.id = j.task_id RETURNING t.identifier AS task, j.payload`,
    );
    for (const { task, payload } of jobs.filter((job) => tasks.includes(job.task))) {
      const run = handlers[task] as (given: unknown, services: Services) => Promise<void>;
      await run(declarationOf(task).payload.parse(payload), services);
    }
    await later(pool);
  }
}
