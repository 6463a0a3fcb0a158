import { z } from 'zod';
import { jobScope } from '../src/access/system.ts';
import { releaseHeldPayouts } from '../src/domain/disbursement/suspension.ts';
import { task } from './task.ts';

/** Releases the payouts that were held for a beneficiary's suspension, after its reinstatement. */
export const releasePayouts = task(
  'release_payouts',
  z.object({ tenantId: z.string(), beneficiaryId: z.string() }),
  async ({ tenantId, beneficiaryId }, services) => {
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'compliance' });
    await releaseHeldPayouts({ services, scope }, beneficiaryId);
  },
);
