import { Prisma, type FundingAccount } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import { newId } from '../../values/ids.ts';

/** Opens a wallet once: a repeated job does not overwrite a balance that was set in between. */
const openWallet: Statement = {
  name: 'open_sandbox_wallet',
  text: `
    INSERT INTO funding_account (tenant_id, id, currency, status, available_balance_minor, as_of)
    VALUES ($1, $2, $3, 'active', $4, now())
    ON CONFLICT (tenant_id) DO NOTHING
    RETURNING id`,
};

/** Opens the tenant's funding account with a balance in minor units; false when there is one. */
export async function insertAccount(
  client: Queryable,
  scope: Scope,
  balance: { readonly currency: string; readonly minor: bigint },
): Promise<boolean> {
  const values = [
    scope.tenantId,
    newId('fundingAccount'),
    balance.currency,
    balance.minor,
  ] as const;
  return (await firstRow(client, openWallet, values)) !== null;
}

/** Sets the reported balance if the currency is the account's. */
const setBalance: Statement = {
  name: 'set_sandbox_balance',
  text: `
    UPDATE funding_account a SET available_balance_minor = $2, as_of = now()
    WHERE a.tenant_id = $1 AND a.currency = $3
    RETURNING ${columns(Prisma.FundingAccountScalarFieldEnum, 'a')}`,
};

const accountCurrency: Statement = {
  name: 'sandbox_wallet_currency',
  text: 'SELECT f.currency FROM funding_account f WHERE f.tenant_id = $1',
};

export type BalanceOutcome =
  | { readonly kind: 'set'; readonly account: FundingAccount }
  | { readonly kind: 'none' }
  | { readonly kind: 'other_currency'; readonly currency: string };

/** Sets the tenant's reported balance, in minor units of `currency`. */
export async function updateBalance(
  client: Queryable,
  scope: Scope,
  balance: { readonly currency: string; readonly minor: bigint },
): Promise<BalanceOutcome> {
  const values = [scope.tenantId, balance.minor, balance.currency] as const;
  const account = await firstRow<FundingAccount>(client, setBalance, values);
  if (account !== null) return { kind: 'set', account };
  const other = await firstRow<{ currency: string }>(client, accountCurrency, [scope.tenantId]);
  return other === null ? { kind: 'none' } : { kind: 'other_currency', currency: other.currency };
}

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

/**
 * Reports what the tenant's account has, in minor units of `currency` from 0. Null where the account has another
 * currency.
 */
export function reportAccountBalance(
  client: Queryable,
  scope: Scope,
  balance: { readonly currency: string; readonly minor: bigint },
): Promise<FundingAccount | null> {
  const values = [
    scope.tenantId,
    newId('fundingAccount'),
    balance.currency,
    balance.minor,
  ] as const;
  return firstRow<FundingAccount>(client, report, values);
}
