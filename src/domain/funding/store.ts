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
  const values = [scope.tenantId, newId('fundingAccount'), balance.currency, balance.minor];
  return (await firstRow(client, openWallet, values)) !== null;
}

/** Sets the reported balance if the currency is the account's. Always returns one row. */
const setBalance: Statement = {
  name: 'set_sandbox_balance',
  text: `
    WITH account AS (
      UPDATE funding_account SET available_balance_minor = $2, as_of = now()
      WHERE tenant_id = $1 AND currency = $3
      RETURNING *
    )
    SELECT f.currency AS "accountCurrency", ${columns(Prisma.FundingAccountScalarFieldEnum, 'a')}
    FROM (SELECT) AS one
    LEFT JOIN funding_account f ON f.tenant_id = $1
    LEFT JOIN account a ON true`,
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
  type Row = FundingAccount & { accountCurrency: string | null };
  const values = [scope.tenantId, balance.minor, balance.currency];
  const row = await firstRow<Row>(client, setBalance, values);
  if (row === null) throw new Error('the balance statement always returns one row');
  const { accountCurrency, ...account } = row;
  if (accountCurrency === null) return { kind: 'none' };
  // Postgres returns null columns where no account was updated, whatever the row type says.
  return (account.id as string | null) === null
    ? { kind: 'other_currency', currency: accountCurrency }
    : { kind: 'set', account };
}
