import type { BankAccountVersion, Payout } from '../../../generated/prisma/client.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { identifierFields } from '../bank-account/bank-details.ts';
import { openHolder, openIdentifiers } from '../bank-account/details.ts';
import { inAskedOrder } from '../children.ts';

/** What of a bank account can change after a payout to it was created. */
export const accountFacts = [
  'account_holder_name',
  'country',
  'currency',
  'bank_name',
  'account_type',
  'identifiers',
] as const;
export type AccountFact = (typeof accountFacts)[number];

/** The account of a payout, with the version that the payout was created with. */
export type AccountOfPayout = Pick<Payout, 'bankAccountId' | 'bankAccountVersion'>;

type VersionRow = BankAccountVersion & { readonly asked: number };

/** The version that a payout was created with and the present one, where they differ. */
const changedVersions = named(
  'changed_account_versions',
  ['tenant', 'accounts', 'versions'],
  `
    SELECT g.asked::integer AS asked, ${columns(Prisma.BankAccountVersionScalarFieldEnum, 'v')}
    FROM unnest(@accounts::text[], @versions::integer[]) WITH ORDINALITY AS g(account, version, asked)
    JOIN bank_account a ON a.tenant_id = @tenant AND a.id = g.account AND a.version <> g.version
    JOIN bank_account_version v ON v.tenant_id = @tenant AND v.bank_account_id = a.id AND v.version IN (g.version, a.version)
    ORDER BY g.asked, v.version`,
);

/**
 * What changed of the accounts of some payouts since the payouts were created, in the order asked. A payout
 * whose account changed is never approved, since its preparer gave other details.
 */
export async function readAccountChanges(
  call: Call,
  asked: readonly AccountOfPayout[],
): Promise<AccountFact[][]> {
  const found = await rows<VersionRow>(
    call.services.pool,
    changedVersions,
    changedVersions.of({
      tenant: call.scope.tenantId,
      accounts: asked.map(({ bankAccountId }) => bankAccountId),
      versions: asked.map(({ bankAccountVersion }) => bankAccountVersion),
    }),
  );
  return inAskedOrder(found, asked).map(([before, after]) =>
    before === undefined || after === undefined ? [] : differences(call, before, after),
  );
}

function differences(
  call: Call,
  before: BankAccountVersion,
  after: BankAccountVersion,
): AccountFact[] {
  const differs: Record<AccountFact, boolean> = {
    account_holder_name:
      openHolder(call, 'bankAccountVersion', before) !==
      openHolder(call, 'bankAccountVersion', after),
    country: before.country !== after.country,
    currency: before.currency !== after.currency,
    bank_name: before.bankName !== after.bankName,
    account_type: before.accountType !== after.accountType,
    identifiers: identifiersDiffer(call, before, after),
  };
  return accountFacts.filter((fact) => differs[fact]);
}

/** Ciphertexts of equal identifiers differ, so they are compared in clear. */
function identifiersDiffer(
  call: Call,
  before: BankAccountVersion,
  after: BankAccountVersion,
): boolean {
  const open = ({ bankAccountId, version, identifiersCiphertext }: BankAccountVersion) =>
    openIdentifiers(call, bankAccountId, version, identifiersCiphertext);
  const [first, second] = [open(before), open(after)];
  return identifierFields.some((field) => first[field] !== second[field]);
}
