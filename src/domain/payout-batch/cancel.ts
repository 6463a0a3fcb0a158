import type { PayoutBatch } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { cancelPayoutBatch as cancel } from './commands.gen.ts';
import { readPayoutBatch, requireBatchId } from './store.ts';

/**
 * Cancels a batch that is a draft or submitted. No payout is made of it any more, and a job cancels those of its payouts
 * that are not handed over yet, as whoever canceled the batch. Throws forbidden and not_found; `conflict` for a batch
 * that is completed or canceled.
 */
export async function cancelPayoutBatch(call: Call, batchId: string): Promise<PayoutBatch> {
  const { scope, services } = call;
  requirePermission(scope, 'payouts:write');
  requireBatchId(batchId);
  const order = { batch: batchId, actor: scope.actor };
  const [canceled] = await cancel(services.pool, scope.tenantId, order);
  if (canceled !== undefined) {
    wakeAfter(services.pool);
    return canceled;
  }
  const { state } = await readPayoutBatch(call, batchId);
  throw new DomainError('conflict', { message: `A batch that is ${state} cannot be canceled.` });
}
