import type { BankAccountVersion } from '../../../generated/prisma/client.ts';
import { Prisma } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import { mapInTurns } from '../../concurrency/event-loop.ts';
import type { Destination } from '../../providers/port.ts';
import type { Call } from '../../process/services.ts';
import { openPersonal, type PersonalRow } from '../encryption/personal.ts';
import { identifierFields, type BankDetails, type IdentifierField } from './bank-details.ts';

/** The identifiers of an account: what is encrypted, as one JSON object. */
type Identifiers = { readonly [F in IdentifierField]?: string };

/** A ciphertext belongs to one version: it opens on no other, and on no other account. */
function placeOf(tenantId: string, bankAccountId: string, version: number) {
  return { tenantId, row: `${bankAccountId}.${version}`, field: 'identifiers' };
}

/** Encrypts the identifiers of checked details for one version of an account. */
export function sealIdentifiers(
  call: Call,
  bankAccountId: string,
  version: number,
  details: BankDetails,
): Buffer {
  const identifiers: Identifiers = Object.fromEntries(
    identifierFields.flatMap((field) => {
      const value = details[field];
      return value === undefined ? [] : [[field, value]];
    }),
  );
  return call.services.keyring.encrypt(
    JSON.stringify(identifiers),
    placeOf(call.scope.tenantId, bankAccountId, version),
  );
}

/**
 * The identifiers of a version of an account; none once its payee is erased. Throws when the ciphertext is
 * not its own.
 */
export function openIdentifiers(
  { services, scope }: Call,
  bankAccountId: string,
  version: number,
  ciphertext: Uint8Array | null,
): Identifiers {
  if (ciphertext === null) return {};
  const place = placeOf(scope.tenantId, bankAccountId, version);
  // Written by sealIdentifiers, and authenticated.
  return JSON.parse(services.keyring.decrypt(ciphertext, place)) as Identifiers;
}

/** The name on an account or on one of its versions; `[erased]` where it was erased or lost with its key. */
export function openHolder<M extends 'bankAccount' | 'bankAccountVersion'>(
  call: Call,
  model: M,
  row: PersonalRow<M, 'accountHolderName'>,
): string {
  return openPersonal(call, model, row, 'accountHolderName') ?? '[erased]';
}

const versionOfAccount: Statement = {
  name: 'bank_account_version',
  text: `
    SELECT ${columns(Prisma.BankAccountVersionScalarFieldEnum, 'v')}
    FROM bank_account_version v
    WHERE v.tenant_id = $1 AND v.bank_account_id = $2 AND v.version = $3`,
};

/**
 * The details of a version of an account with the identifiers decrypted, as only a provider gets them. A US
 * account without a type counts as `checking`. Null where the holder's name was erased or lost with its key.
 * Throws when the ciphertext is not its own.
 */
function toDestination(call: Call, row: BankAccountVersion): Destination | null {
  const { bankAccountId, version, identifiersCiphertext } = row;
  const identifiers = openIdentifiers(call, bankAccountId, version, identifiersCiphertext);
  const holder = openPersonal(call, 'bankAccountVersion', row, 'accountHolderName');
  if (holder === null) return null;
  const accountType = row.accountType ?? (row.country === 'US' ? 'checking' : null);
  return {
    accountHolderName: holder,
    country: row.country,
    currency: row.currency,
    ...identifiers,
    ...(row.bankName === null ? {} : { bankName: row.bankName }),
    // The column's CHECK constraint holds these two values.
    ...(accountType === null ? {} : { accountType: accountType as 'checking' | 'savings' }),
  };
}

/** As `toDestination`. Throws when the version does not exist or has lost its holder's name, too. */
export async function openDestination(
  call: Call,
  bankAccountId: string,
  version: number,
): Promise<Destination> {
  const row = await firstRow<BankAccountVersion>(call.services.pool, versionOfAccount, [
    call.scope.tenantId,
    bankAccountId,
    version,
  ]);
  if (row === null) throw new Error(`bank account ${bankAccountId} has no version ${version}`);
  const destination = toDestination(call, row);
  if (destination === null) {
    throw new Error(`bank account ${bankAccountId} has lost its holder's name`);
  }
  return destination;
}

const versionsOfAccounts = named(
  'bank_account_versions',
  ['tenant', 'accounts', 'versions'],
  `
    SELECT w.place::integer AS place, ${columns(Prisma.BankAccountVersionScalarFieldEnum, 'v')}
    FROM unnest(@accounts::text[], @versions::integer[]) WITH ORDINALITY AS w (account, version, place)
    JOIN bank_account a ON a.tenant_id = @tenant AND a.id = w.account
    JOIN bank_account_version v ON v.tenant_id = @tenant AND v.bank_account_id = a.id
      AND v.version = coalesce(w.version, a.version)`,
);

/** A version of an account; null for the current one. */
export interface AskedVersion {
  readonly bankAccountId: string;
  readonly version: number | null;
}

/**
 * The details of versions of accounts, as `toDestination`, in the order asked. Null where there is no such
 * version or its holder's name is lost.
 */
export async function openDestinations(
  call: Call,
  client: Queryable,
  asked: readonly AskedVersion[],
): Promise<({ readonly version: number; readonly destination: Destination } | null)[]> {
  const values = versionsOfAccounts.of({
    tenant: call.scope.tenantId,
    accounts: asked.map(({ bankAccountId }) => bankAccountId),
    versions: asked.map(({ version }) => version),
  });
  type Row = BankAccountVersion & { readonly place: number };
  const found = await rows<Row>(client, versionsOfAccounts, values);
  const byPlace = new Map(found.map((row) => [row.place, row]));
  return mapInTurns(asked, (_one, index) => {
    const row = byPlace.get(index + 1);
    const destination = row === undefined ? null : toDestination(call, row);
    return row === undefined || destination === null ? null : { version: row.version, destination };
  });
}
