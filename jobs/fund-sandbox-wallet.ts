import { z } from 'zod';
import { jobScope } from '../src/access/system.ts';
import { fundSandboxWallet as fund } from '../src/domain/sandbox/fund-wallet.ts';
import { task } from './task.ts';

/** Gives a sandbox its test money once the business profile is submitted. */
export const fundSandboxWallet = task(
  'fund_sandbox_wallet',
  z.object({ tenantId: z.string() }),
  async ({ tenantId }, services) => {
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'funding' });
    await fund({ services, scope });
  },
);
