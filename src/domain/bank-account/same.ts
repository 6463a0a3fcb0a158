import { Prisma, type BankAccount } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { lookupHash } from '../encryption/lookup.ts';
import { identifierFields, type BankDetails } from './bank-details.ts';
import { openHolder, openIdentifiers } from './details.ts';

/*
 * A beneficiary has each account once. What makes two the same is hashed with the key of the hashes
 * (src/domain/encryption/lookup.ts), and a unique index holds it, also between requests at the same time.
 */

type Facts = {
  readonly [F in keyof BankDetails]?: BankDetails[F] | string | null | undefined;
};

/** Holder, country, currency, type and every identifier. The name of the bank is for people, and tells nothing apart. */
function identityOf(details: Facts): string {
  const { accountHolderName, country, currency, accountType } = details;
  // A US account without a type is enrolled as checking.
  const type = accountType ?? (country === 'US' ? 'checking' : null);
  const identifiers = identifierFields.map((field) => details[field] ?? null);
  return JSON.stringify([accountHolderName, country, currency, type, ...identifiers]);
}

/** Hashes normalised details of a beneficiary of the scope's tenant. */
export type AccountHash = (beneficiaryId: string, normalized: BankDetails) => Buffer;

/** Reads the key of the hashes once in a process; call it before a transaction begins. */
export async function accountHash({ services, scope }: Call): Promise<AccountHash> {
  const hash = await lookupHash(services, 'bank_account');
  return (beneficiaryId, normalized) =>
    hash(scope.tenantId, JSON.stringify([beneficiaryId, identityOf(normalized)]));
}

/** What an account is looked for by. */
export interface Sought {
  readonly beneficiaryId: string;
  readonly normalized: BankDetails;
  readonly last4: string;
  readonly hash: Buffer;
  /** An account that is not meant; null where each is. */
  readonly except: string | null;
}

const accountColumns = columns(Prisma.BankAccountScalarFieldEnum, 'a');

const byHash = named(
  'bank_account_by_details',
  ['tenant', 'beneficiary', 'hash', 'except'],
  `
    SELECT ${accountColumns} FROM bank_account a
    WHERE a.tenant_id = @tenant AND a.beneficiary_id = @beneficiary AND a.details_hash = @hash
      AND a.id IS DISTINCT FROM @except`,
);

/** Accounts that a release without hashes registered: only decryption tells. */
const unhashed = named(
  'unhashed_bank_accounts',
  ['tenant', 'beneficiary', 'country', 'currency', 'last4', 'except'],
  `
    SELECT ${accountColumns}, v.identifiers_ciphertext AS identifiers
    FROM bank_account a
    JOIN bank_account_version v
      ON v.tenant_id = a.tenant_id AND v.bank_account_id = a.id AND v.version = a.version
    WHERE a.tenant_id = @tenant AND a.beneficiary_id = @beneficiary AND a.details_hash IS NULL
      AND a.country = @country AND a.currency = @currency AND a.last4 = @last4
      AND a.id IS DISTINCT FROM @except
    ORDER BY a.id`,
);

type Unhashed = BankAccount & { readonly identifiers: Uint8Array | null };

/** Null where it cannot be read: an account that is lost with its key is registered again under a new id. */
function factsOf(call: Call, stored: Unhashed): Facts | null {
  const { country, currency, accountType } = stored;
  try {
    const accountHolderName = openHolder(call, 'bankAccount', stored);
    const identifiers = openIdentifiers(call, stored.id, stored.version, stored.identifiers);
    return { accountHolderName, country, currency, accountType, ...identifiers };
  } catch {
    return null;
  }
}

/** The account of a beneficiary that has these details; null where there is none. */
export async function findSameAccount(
  client: Queryable,
  call: Call,
  { beneficiaryId: beneficiary, normalized, last4, hash, except }: Sought,
): Promise<BankAccount | null> {
  const { tenantId: tenant } = call.scope;
  const found = await firstRow<BankAccount>(
    client,
    byHash,
    byHash.of({ tenant, beneficiary, hash, except }),
  );
  if (found !== null) return found;
  const { country, currency } = normalized;
  const similar = await rows<Unhashed>(
    client,
    unhashed,
    unhashed.of({ tenant, beneficiary, country, currency, last4, except }),
  );
  const wanted = identityOf(normalized);
  const same = similar.find((stored) => {
    const facts = factsOf(call, stored);
    return facts !== null && identityOf(facts) === wanted;
  });
  if (same === undefined) return null;
  const { identifiers: _identifiers, ...account } = same;
  return account;
}
