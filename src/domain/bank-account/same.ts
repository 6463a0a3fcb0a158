import { Prisma, type BankAccount } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { lookupHash } from '../encryption/lookup.ts';
import type { BankDetails } from './bank-details.ts';
import { openIdentifiers } from './details.ts';

/*
 * A beneficiary has each account once. What makes two the same is hashed with the key of the hashes
 * (src/domain/encryption/lookup.ts), and a unique index holds it, also between requests at the same time.
 */

/** Details as they were given or as they are stored: what is absent may be null. */
export type Details = {
  readonly [F in keyof BankDetails]?: BankDetails[F] | string | null | undefined;
};

/** The bank that keeps an account with a national number. A BIC of eight characters is that of its head office. */
function bankOf({ routingCode, swiftBic }: Details): string | null {
  return routingCode ?? swiftBic?.replace(/XXX$/, '') ?? null;
}

/** The type that a payment names: only one to a US account names any, and it is checking where none was given. */
export function paidAs({ country, accountType }: Details): string | null {
  return country === 'US' ? (accountType ?? 'checking') : null;
}

/**
 * What names the account at its bank, with its currency; null where nothing does. Whoever holds it, what its bank is
 * called, and identifiers beside the one that names it tell nothing apart: one account is one row.
 */
function identityOf(details: Details): string | null {
  const { country, currency, iban, clabe, accountNumber, pixKey, swiftBic } = details;
  const identity = (...names: (string | null | undefined)[]) =>
    JSON.stringify([currency, ...names]);
  if (iban != null) return identity('iban', iban);
  if (clabe != null) return identity('clabe', clabe);
  if (accountNumber != null) {
    return identity('number', country, accountNumber, bankOf(details), paidAs(details));
  }
  if (pixKey != null) return identity('pix', pixKey);
  return swiftBic == null ? null : identity('bic', bankOf({ swiftBic }));
}

/** Whether two details are one account's. */
export function isSameAccount(one: Details, other: Details): boolean {
  const identity = identityOf(one);
  return identity !== null && identity === identityOf(other);
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
  ['tenant', 'beneficiary', 'currency', 'last4', 'except'],
  `
    SELECT ${accountColumns}, v.identifiers_ciphertext AS identifiers
    FROM bank_account a
    JOIN bank_account_version v
      ON v.tenant_id = a.tenant_id AND v.bank_account_id = a.id AND v.version = a.version
    WHERE a.tenant_id = @tenant AND a.beneficiary_id = @beneficiary AND a.details_hash IS NULL
      AND a.currency = @currency AND a.last4 = @last4
      AND a.id IS DISTINCT FROM @except
    ORDER BY a.id`,
);

type Unhashed = BankAccount & { readonly identifiers: Uint8Array | null };

/** Null where it cannot be read: an account that is lost with its key is registered again under a new id. */
function namedBy(call: Call, stored: Unhashed): Details | null {
  const { country, currency, accountType } = stored;
  try {
    const identifiers = openIdentifiers(call, stored.id, stored.version, stored.identifiers);
    return { country, currency, accountType, ...identifiers };
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
  const { currency } = normalized;
  const similar = await rows<Unhashed>(
    client,
    unhashed,
    unhashed.of({ tenant, beneficiary, currency, last4, except }),
  );
  const same = similar.find((stored) => {
    const details = namedBy(call, stored);
    return details !== null && isSameAccount(details, normalized);
  });
  if (same === undefined) return null;
  const { identifiers: _identifiers, ...account } = same;
  return account;
}
