import { turnsOf } from '../src/concurrency/turns.ts';
import { disbursePayout as disburse } from '../src/domain/disbursement/disburse.ts';
import { disburseLater } from '../src/domain/disbursement/job.ts';
import { inTenant, type Handler } from './handler.ts';

/**
 * Hands an approved payout to the provider when its tenant has a slot for it; the job comes again until
 * the outcome is known.
 */
export const disbursePayout: Handler<'disburse_payout'> = inTenant(
  'disbursement',
  async (call, { tenantId, payoutId }) => {
    const turn = turnsOf(call.services).enter(tenantId);
    if (!turn.granted) {
      await disburseLater(call, payoutId, turn.waitMs);
      return;
    }
    try {
      await disburse(call, payoutId);
    } finally {
      turn.leave();
    }
  },
);
