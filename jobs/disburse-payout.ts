import { z } from 'zod';
import { jobScope } from '../src/access/system.ts';
import { disbursePayout as disburse } from '../src/domain/disbursement/disburse.ts';
import { disburseLater } from '../src/domain/disbursement/job.ts';
import { turnsOf } from '../src/concurrency/turns.ts';
import { task } from './task.ts';

/**
 * Hands an approved payout to the provider when it is its tenant's turn; runs again until the outcome
 * is known.
 */
export const disbursePayout = task(
  'disburse_payout',
  z.object({ tenantId: z.string(), payoutId: z.string() }),
  async ({ tenantId, payoutId }, services) => {
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'disbursement' });
    const call = { services, scope };
    const turn = turnsOf(services).enter(tenantId);
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
