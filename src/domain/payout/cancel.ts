import type { Payout } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { readPayout, requirePayoutId } from './read.ts';
import { movePayoutTo } from './transition.ts';

/**
 * Cancels a payout: while it waits for a decision or is held, and when it is approved only until it
 * is handed to the provider (decisions 7). Throws PAYOUT_NOT_FOUND, INVALID_STATE_TRANSITION, forbidden.
 */
export async function cancelPayout(call: Call, payoutId: string): Promise<Payout> {
  requirePermission(call.scope, 'payouts:write');
  requirePayoutId(payoutId);
  const canceled = await inTransaction(call.services.pool, (client) =>
    movePayoutTo(client, call.scope, payoutId, { trigger: 'cancel' }),
  );
  if (canceled !== null) return canceled;
  const { state } = await readPayout(call, payoutId);
  throw new DomainError('INVALID_STATE_TRANSITION', {
    message:
      state === 'approved'
        ? 'The payout was handed to the provider and can no longer be canceled.'
        : `A payout that is ${state} cannot be canceled.`,
  });
}
