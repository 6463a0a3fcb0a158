import type { PoolClient } from 'pg';
import { Prisma, type FundingAccount } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { newUlid } from '../../values/ulid.ts';
import { toBalance, type Balance } from '../funding/balance.ts';
import { reportAccountBalance } from '../funding/store.ts';
import { bookStatedBalance } from '../ledger/store.ts';
import { recordAction, requireTenant } from './action.ts';
import { balanceReport, type BalanceReport } from './input.ts';

const nameReport = named(
  'name_balance_report',
  ['tenant', 'source', 'currency', 'minor'],
  `
    INSERT INTO balance_report (tenant_id, source, currency, available_balance_minor)
    VALUES (@tenant, @source, @currency, @minor)
    ON CONFLICT (tenant_id, source) DO NOTHING
    RETURNING source`,
);

const knownReport = named(
  'known_balance_report',
  ['tenant', 'source'],
  `
    SELECT ${columns(Prisma.FundingAccountScalarFieldEnum, 'f')}, r.currency AS "reportedCurrency",
      r.available_balance_minor AS "reportedMinor"
    FROM balance_report r JOIN funding_account f ON f.tenant_id = r.tenant_id
    WHERE r.tenant_id = @tenant AND r.source = @source`,
);

/**
 * The account where the source was reported before, which then changes nothing, however much has happened since.
 * Null for a new source, which is noted. Throws conflict where it said something else.
 */
async function repeated(
  client: PoolClient,
  { tenantId: tenant }: Scope,
  balance: Balance,
  source: string,
): Promise<FundingAccount | null> {
  const { currency, minor } = balance;
  const values = nameReport.of({ tenant, source, currency, minor });
  if ((await firstRow(client, nameReport, values)) !== null) return null;
  type Known = FundingAccount & { reportedCurrency: string; reportedMinor: bigint };
  const known = await firstRow<Known>(client, knownReport, knownReport.of({ tenant, source }));
  if (known === null) throw new Error('a report is stored with its account');
  const { reportedCurrency, reportedMinor, ...account } = known;
  if (reportedCurrency === currency && reportedMinor === minor) return account;
  throw new DomainError('conflict', {
    message:
      'This source was reported with another balance. Give the new report a source of its own.',
  });
}

async function storeReport(
  client: PoolClient,
  scope: Scope,
  balance: Balance,
): Promise<FundingAccount> {
  const account = await reportAccountBalance(client, scope, balance);
  if (account !== null) return account;
  throw new DomainError('FUNDING_CURRENCY_MISMATCH');
}

/**
 * Reports the balance of a business's production account, in minor units of `currency` from 0 to
 * 999,999,999,999. The first report opens the account. The difference to the posted funds is booked. A report that
 * names its `source` counts once: repeated, it changes nothing. Throws validation_failed, INVALID_MONEY,
 * not_found, FUNDING_CURRENCY_MISMATCH, and conflict for a source that was reported with another balance.
 */
export async function reportBalance(
  call: OperatorCall,
  given: BalanceReport,
): Promise<FundingAccount> {
  const { businessId, source, reason, ...figure } = parseInput(balanceReport, given);
  const balance = toBalance(figure);
  return inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, 'production');
    const before =
      typeof source === 'string' ? await repeated(client, scope, balance, source) : null;
    if (before !== null) return before;
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
