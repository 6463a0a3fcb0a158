import type { Call } from '../../process/services.ts';
import { inTransaction } from '../../db/pool.ts';
import { insertAccount } from '../funding/store.ts';
import { bookStatedBalance } from '../ledger/store.ts';

/** Every sandbox starts with USD 1,000,000 of test money. */
const testMoney = { currency: 'USD', minor: 100_000_000n };

/**
 * Opens the sandbox wallet with its test money. An account that exists stays as it is, so the job can
 * be repeated. Throws for a production tenant, whose balance the provider or an operator reports.
 */
export async function fundSandboxWallet(call: Call): Promise<void> {
  const { scope, services } = call;
  if (scope.environment !== 'sandbox') throw new Error('only a sandbox holds test money');
  const opened = await inTransaction(services.pool, async (client) => {
    const inserted = await insertAccount(client, scope, testMoney);
    if (inserted) await bookStatedBalance(client, scope, testMoney, 'wallet');
    return inserted;
  });
  services.log.info({ tenant_id: scope.tenantId, opened }, 'sandbox wallet');
}
