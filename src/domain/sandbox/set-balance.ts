import type { FundingAccount } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { newUlid } from '../../values/ulid.ts';
import { parseInput } from '../../values/validate.ts';
import { balanceInput, toBalance, type BalanceInput } from '../funding/balance.ts';
import { updateBalance } from '../funding/store.ts';
import { bookStatedBalance } from '../ledger/store.ts';

/**
 * Sets the reported balance of the sandbox wallet, in minor units of the account's currency, from 0
 * to 999,999,999,999. While it is 0, new payouts are refused. Throws forbidden, validation_failed,
 * SANDBOX_ONLY, INVALID_MONEY, FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED, FUNDING_CURRENCY_MISMATCH.
 */
export async function setSandboxBalance(call: Call, given: BalanceInput): Promise<FundingAccount> {
  requirePermission(call.scope, 'business:write');
  const input = parseInput(balanceInput, given);
  if (call.scope.environment !== 'sandbox') throw new DomainError('SANDBOX_ONLY');
  const balance = toBalance(input);
  const outcome = await inTransaction(call.services.pool, async (client) => {
    const updated = await updateBalance(client, call.scope, balance);
    if (updated.kind === 'set') {
      await bookStatedBalance(client, call.scope, balance, `report ${newUlid()}`);
    }
    return updated;
  });
  switch (outcome.kind) {
    case 'set':
      return outcome.account;
    case 'none':
      throw new DomainError('FUNDING_DEDICATED_ACCOUNT_NOT_PROVISIONED');
    case 'other_currency':
      throw new DomainError('FUNDING_CURRENCY_MISMATCH', {
        message: `The account's currency is ${outcome.currency}, not ${balance.currency}.`,
      });
  }
}
