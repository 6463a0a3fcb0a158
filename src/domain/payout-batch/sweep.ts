import { platformStatement } from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';
import type { Services } from '../../process/services.ts';
import { enqueueMissing } from '../../queue/queue.ts';

/** Looks across all tenants, so it names none. What it finds is then handled in the scope of its own tenant. */
const due = platformStatement({
  name: 'due_payout_batches',
  text: `
    SELECT b.tenant_id AS "tenantId", b.id AS "payoutBatchId" FROM across.payout_batch b
    WHERE b.work IS NOT NULL AND b.look_at <= now()
    ORDER BY b.look_at LIMIT 500`,
});

/** Adds a job for each batch of payouts that has to be looked at, and the lost jobs of others. Safe to run twice at once. */
export async function sweepPayoutBatches({ pool }: Services): Promise<void> {
  const found = await rowsAcross<{ tenantId: string; payoutBatchId: string }>(pool, due, []);
  await enqueueMissing(
    pool,
    'carry_payout_batch',
    found.map((payload) => ({ payload })),
  );
}
