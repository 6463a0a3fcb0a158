import { inTransaction } from '../../db/pool.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import type { Call } from '../../process/services.ts';

/** Runs the disbursement of a payout, as a job, in `waitMs` milliseconds. */
export async function disburseLater(call: Call, payoutId: string, waitMs: number): Promise<void> {
  const { services, scope } = call;
  const payload = { tenantId: scope.tenantId, payoutId };
  const jobKey = jobKeyOf('disburse_payout', payload);
  const options = { runAt: new Date(Date.now() + waitMs), jobKey };
  await inTransaction(services.pool, (client) =>
    enqueue(client, 'disburse_payout', payload, options),
  );
}
