import type { Call } from '../../process/services.ts';
import { insertAccount } from '../funding/store.ts';

/** USD 1,000,000 of test money. */
const testMoney = { currency: 'USD', minor: 100_000_000n };

/**
 * Opens the sandbox wallet with its test money. Safe to repeat: an account that exists is left
 * alone. Throws for a production tenant, whose balance comes from the provider.
 */
export async function fundSandboxWallet(call: Call): Promise<void> {
  const { scope, services } = call;
  if (scope.environment !== 'sandbox') throw new Error('only a sandbox holds test money');
  const opened = await insertAccount(services.pool, scope, testMoney);
  services.log.info({ tenant_id: scope.tenantId, opened }, 'sandbox wallet');
}
