import { inTransaction } from '../../db/pool.ts';
import { enqueue } from '../../queue/queue.ts';
import type { Call } from '../../process/services.ts';

/** The key of a payout's repeated jobs, by which at most one of them waits. */
export const disburseKey = (payoutId: string): string => `disburse ${payoutId}`;

/** Runs the disbursement of a payout, as a job, in `waitMs` milliseconds. */
export async function disburseLater(call: Call, payoutId: string, waitMs: number): Promise<void> {
  const { services, scope } = call;
  const runAt = new Date(Date.now() + waitMs);
  await inTransaction(services.pool, (client) =>
    enqueue(
      client,
      'disburse_payout',
      { tenantId: scope.tenantId, payoutId },
      { runAt, jobKey: disburseKey(payoutId) },
    ),
  );
}
