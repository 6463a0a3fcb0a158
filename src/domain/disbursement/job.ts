import type { PoolClient } from 'pg';
import { inTransaction } from '../../db/pool.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import type { Call } from '../../process/services.ts';

/**
 * Runs the disbursement of a payout, as a job, in `waitMs` milliseconds.
 *
 * @param mustWait asks within the job's transaction whether there still is something to wait for; if not, the
 *   job is due at once
 */
export async function disburseLater(
  call: Call,
  payoutId: string,
  waitMs: number,
  mustWait: (client: PoolClient) => Promise<boolean> = async () => true,
): Promise<void> {
  const { services, scope } = call;
  const payload = { tenantId: scope.tenantId, payoutId };
  const jobKey = jobKeyOf('disburse_payout', payload);
  const runAt = new Date(Date.now() + waitMs);
  await inTransaction(services.pool, async (client) => {
    const options = (await mustWait(client)) ? { runAt, jobKey } : { jobKey };
    await enqueue(client, 'disburse_payout', payload, options);
  });
}
