import { z } from 'zod';
import { Prisma, type BankAccount } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { dateTime, externalRef } from '../../values/fields.ts';
import { betweenChanges, changeParameters } from '../changes-range.ts';
import type { PageRange } from '../page-range.ts';

/** Conditions of a list of the accounts of all payees; all of them hold. */
export const bankAccountsFilter = z.strictObject({
  externalRef: externalRef.nullish(),
  updatedSince: dateTime.nullish(),
});
export type BankAccountConditions = z.output<typeof bankAccountsFilter>;

const accountColumns = columns(Prisma.BankAccountScalarFieldEnum, 'a');

type Direction = 'ASC' | 'DESC';

const byId = (direction: Direction): string => `
    SELECT ${accountColumns} FROM bank_account a
    WHERE a.tenant_id = @tenant AND a.id > @above AND a.id < @below
    ORDER BY a.id ${direction} LIMIT @take`;

const byChange = (direction: Direction): string => `
    SELECT ${accountColumns} FROM bank_account a
    WHERE a.tenant_id = @tenant
      AND (a.updated_at, a.id) > (@lowAt::text::timestamptz, @lowId::text)
      AND (a.updated_at, a.id) < (@highAt::text::timestamptz, @highId::text)
    ORDER BY a.updated_at ${direction}, a.id ${direction} LIMIT @take`;

const ofIds = ['tenant', 'above', 'below', 'take'] as const;
const ofChanges = ['tenant', ...changeParameters] as const;

const all = {
  ASC: named('list_bank_accounts_ASC', ofIds, byId('ASC')),
  DESC: named('list_bank_accounts_DESC', ofIds, byId('DESC')),
};
const changed = {
  ASC: named('changed_bank_accounts_ASC', ofChanges, byChange('ASC')),
  DESC: named('changed_bank_accounts_DESC', ofChanges, byChange('DESC')),
};

/** One account has a reference; those of archived payees do not count. */
const referred = named(
  'bank_account_by_reference',
  [...ofIds, 'externalRef', 'since'],
  `
    SELECT ${accountColumns} FROM bank_account a
    WHERE a.tenant_id = @tenant AND a.external_ref = @externalRef AND a.external_ref IS NOT NULL
      AND NOT a.external_ref_freed AND a.updated_at >= @since::text::timestamptz
      AND a.id > @above AND a.id < @below
    LIMIT @take`,
);

/** Whether the list runs in the order of the changes. */
export const runsByChange = ({ externalRef: reference, updatedSince }: BankAccountConditions) =>
  Boolean(updatedSince) && !reference;

/** The statement of a range and its values. Ids are above '' and below '~'. */
async function ranged(call: Call, conditions: BankAccountConditions, range: PageRange) {
  const { tenantId: tenant } = call.scope;
  const { after, before, take, backwards } = range;
  const { externalRef: reference, updatedSince } = conditions;
  const ids = { tenant, above: before ?? '', below: after ?? '~', take };
  if (reference) {
    const since = updatedSince ?? '-infinity';
    return { statement: referred, values: referred.of({ ...ids, externalRef: reference, since }) };
  }
  if (updatedSince) {
    const statement = changed[backwards ? 'DESC' : 'ASC'];
    const bounds = await betweenChanges(call, updatedSince, range);
    return { statement, values: statement.of({ tenant, ...bounds }) };
  }
  const statement = all[backwards ? 'ASC' : 'DESC'];
  return { statement, values: statement.of(ids) };
}

/**
 * A range of the bank accounts of all payees, archived ones included: newest first, or with `updatedSince` oldest change
 * first, up to the horizon.
 */
export async function listBankAccounts(
  call: Call,
  conditions: BankAccountConditions,
  range: PageRange,
): Promise<BankAccount[]> {
  const { statement, values } = await ranged(call, conditions, range);
  return rows<BankAccount>(call.services.pool, statement, values);
}
