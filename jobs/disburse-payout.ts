import { disbursePayout as disburse } from '../src/domain/disbursement/disburse.ts';
import { disburseLater } from '../src/domain/disbursement/job.ts';
import { timeProviders } from '../src/providers/timed.ts';
import { inTenant, type Handler } from './handler.ts';
import { disbursementShareOf } from './shares.ts';

/**
 * Hands an approved payout to the provider when its tenant has a slot for it; the job comes again until
 * the outcome is known.
 */
export const disbursePayout: Handler<'disburse_payout'> = inTenant(
  'disbursement',
  async (call, { tenantId, payoutId }) => {
    const entry = disbursementShareOf(call.services).enter(tenantId);
    if (!entry.granted) {
      await disburseLater(call, payoutId, entry.waitMs);
      return;
    }
    // What the job waits for beside the provider, such as statements shared with others, is no sign of a slow one.
    const { providers, tookMs } = timeProviders(call.services.providers);
    try {
      await disburse({ ...call, services: { ...call.services, providers } }, payoutId);
    } finally {
      entry.leave(tookMs());
    }
  },
);
