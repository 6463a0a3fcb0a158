import { Prisma, type BankAccountVersion } from '../../../generated/prisma/client.ts';
import type { Call } from '../../process/services.ts';
import { childrenReader } from '../children.ts';
import { openHolder, openIdentifiers } from './details.ts';
import { lastFour } from './mask.ts';
import { payingIdentifier } from './validate.ts';

/** The versions of some accounts. */
export const readVersions = childrenReader<BankAccountVersion>({
  name: 'versions_of_bank_accounts',
  table: 'bank_account_version',
  fields: Prisma.BankAccountVersionScalarFieldEnum,
  parent: 'bank_account_id',
  number: 'version',
});

/** What may be shown of the identifier that names the account itself, `****1234`; null once its payee is erased. */
export function maskedIdentifier(call: Call, row: BankAccountVersion): string | null {
  const { bankAccountId, version, identifiersCiphertext, country, currency } = row;
  if (identifiersCiphertext === null) return null;
  const open = openIdentifiers(call, bankAccountId, version, identifiersCiphertext);
  const accountHolderName = openHolder(call, 'bankAccountVersion', row);
  return `****${lastFour(payingIdentifier({ accountHolderName, country, currency, ...open }))}`;
}
