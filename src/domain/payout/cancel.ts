import type { Payout } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { readPayout, requirePayoutId } from './read.ts';
import { movePayoutTo } from './transition.ts';

/**
 * Cancels a payout that waits for a decision, is held, or is approved and not yet handed to the
 * provider. The rows `cancel` of `machine.ts` say so. Throws PAYOUT_NOT_FOUND,
 * INVALID_STATE_TRANSITION, forbidden.
 */
export async function cancelPayout(call: Call, payoutId: string): Promise<Payout> {
  requirePermission(call.scope, 'payouts:write');
  requirePayoutId(payoutId);
  const { scope, services } = call;
  const canceled = await movePayoutTo(services.pool, scope, payoutId, { trigger: 'cancel' });
  if (canceled !== null) return canceled;
  const { state } = await readPayout(call, payoutId);
  throw new DomainError('INVALID_STATE_TRANSITION', {
    message:
      state === 'approved'
        ? 'A payout that was handed to the provider cannot be canceled.'
        : `A payout that is ${state} cannot be canceled.`,
  });
}
