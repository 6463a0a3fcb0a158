import { expect, it } from 'vitest';
import { reconcilePayouts } from '../../../src/domain/reconciliation/reconcile.ts';
import { useBankWorld } from '../../support/bank-world.ts';

/* Payouts that leave in files: nobody can ask a bank by machine, so the reconciliation leaves them alone. */

const world = useBankWorld();

/** Reconciles a week later, without the jobs that were added until now; the jobs that it adds. */
async function reconcile(): Promise<readonly unknown[]> {
  await world.sql(`UPDATE payout SET updated_at = updated_at - interval '7 days'`);
  await world.sql(`UPDATE disbursement_attempt SET called_at = called_at - interval '7 days'`);
  await world.forgetJobs();
  await reconcilePayouts(world.call.services);
  return world.sql(
    `SELECT task FROM job_outbox UNION ALL SELECT task_identifier FROM graphile_worker.jobs`,
  );
}

it('adds no job for a payout that waits for a file, or that is in one', async () => {
  const id = await world.waiting();
  expect(await reconcile()).toEqual([]);
  await world.close();
  expect(await world.attempts(id)).toMatchObject([{ status: 'prepared' }]);
  expect(await reconcile()).toEqual([]);
});

it('asks about no payment of a file that the bank has', async () => {
  const id = await world.waiting();
  await world.close();
  const [batch] = await world.batches();
  await world.send(batch?.id ?? '');
  expect(await world.attempts(id)).toMatchObject([{ status: 'submitted' }]);
  expect(await reconcile()).toEqual([]);
  expect(await world.sql('SELECT looked_up_at FROM disbursement_attempt')).toEqual([
    { looked_up_at: null },
  ]);
});
