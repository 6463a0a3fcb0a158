import type { PoolClient } from 'pg';
import { Prisma, type FundingAccount } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, inTransaction, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { newId } from '../../values/ids.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { newUlid } from '../../values/ulid.ts';
import { toBalance, type Balance } from '../funding/balance.ts';
import { bookStatedBalance } from '../ledger/store.ts';
import { recordAction, requireTenant } from './action.ts';
import { balanceReport, type BalanceReport } from './input.ts';

/** The first report opens the account; a later one must be in its currency. */
const report: Statement = {
  name: 'report_balance',
  text: `
    INSERT INTO funding_account AS f (tenant_id, id, currency, status, available_balance_minor, as_of)
    VALUES ($1, $2, $3, 'active', $4, now())
    ON CONFLICT (tenant_id) DO UPDATE
      SET available_balance_minor = excluded.available_balance_minor, as_of = excluded.as_of
      WHERE f.currency = excluded.currency
    RETURNING ${columns(Prisma.FundingAccountScalarFieldEnum, 'f')}`,
};

async function storeReport(
  client: PoolClient,
  scope: Scope,
  balance: Balance,
): Promise<FundingAccount> {
  const values = [scope.tenantId, newId('fundingAccount'), balance.currency, balance.minor];
  const account = await firstRow<FundingAccount>(client, report, values);
  if (account !== null) return account;
  throw new DomainError('FUNDING_CURRENCY_MISMATCH');
}

/**
 * Reports the balance of a business's production account, in minor units of `currency` from 0 to
 * 999,999,999,999. The first report opens the account. The difference to the posted funds is booked, once for a
 * `source` if the report names one. Throws validation_failed,
 * INVALID_MONEY, not_found, FUNDING_CURRENCY_MISMATCH.
 */
export async function reportBalance(
  call: OperatorCall,
  given: BalanceReport,
): Promise<FundingAccount> {
  const { businessId, source, reason, ...figure } = parseInput(balanceReport, given);
  const balance = toBalance(figure);
  return inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, 'production');
    const account = await storeReport(client, scope, balance);
    await bookStatedBalance(client, scope, balance, `report ${source ?? newUlid()}`);
    await recordAction(client, call.operator, {
      action: 'operatorBalanceReport',
      businessId,
      environment: 'production',
      subjectId: account.id,
      reason: reason ?? null,
      detail: { currency: balance.currency, available_balance_minor: Number(balance.minor) },
    });
    return account;
  });
}
