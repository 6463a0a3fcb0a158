import type { PoolClient } from 'pg';
import type { z } from 'zod';
import type { Beneficiary } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { contentHash } from '../../crypto/canonical.ts';
import { columnName } from '../../db/columns.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnConflict } from '../../db/retry.ts';
import { DomainError, invalid } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { emailHash, type EmailHash } from '../encryption/lookup.ts';
import {
  openPersonal,
  sealPersonal,
  sealText,
  type PersonalFieldOf,
} from '../encryption/personal.ts';
import { compactAddress, requireLegalName, requireOwnFields, taken } from './content.ts';
import { identityComplete, triggerFieldsChanged, type BeneficiaryType } from './identity.ts';
import { emptyToNull } from '../own-fields.ts';
import { emailKey } from '../../values/fields.ts';
import { beneficiaryUpdateInput, type BeneficiaryUpdateInput } from './input.ts';
import { openContact, openIdentity, readActiveBeneficiary } from './store.ts';
import { updateBeneficiary, type ChangedContent } from './write-store.ts';

type Parsed = z.output<typeof beneficiaryUpdateInput>;

/**
 * Changes any subset of a beneficiary's fields: absent is unchanged, null clears. A trigger field
 * whose value differs after acknowledgment sets `reacknowledgment_required`. The old and the new
 * values are compared in plain text, which the database does not have, so the write is bound to the
 * revision that was read. Throws validation_failed, not_found, BENEFICIARY_ARCHIVED,
 * BENEFICIARY_IDENTITY_INVALID, BENEFICIARY_IDENTITY_INCOMPLETE, BENEFICIARY_EMAIL_ALREADY_EXISTS,
 * EXTERNAL_REF_ALREADY_EXISTS, conflict, forbidden.
 */
export async function changeBeneficiary(
  call: Call,
  id: string,
  given: BeneficiaryUpdateInput,
): Promise<Beneficiary> {
  requirePermission(call.scope, 'payees:write');
  const input = parseInput(beneficiaryUpdateInput, given);
  const hash = await hashFor(call, input);
  const updated = await retryOnConflict(async () => {
    const current = await readActiveBeneficiary(call, id);
    return inTransaction(call.services.pool, (client) =>
      tryChange(client, call, current, input, hash),
    );
  });
  if (updated !== null) return updated;
  throw new DomainError('conflict', {
    message: 'Another request changed the beneficiary at the same time; send the request again.',
  });
}

/**
 * As `changeBeneficiary`, as a part of a transaction that has locked the active row `current`; who
 * may do it is the caller's to say. Throws as that does, but for not_found and forbidden.
 */
export async function changeLockedBeneficiary(
  client: PoolClient,
  call: Call,
  current: Beneficiary,
  given: BeneficiaryUpdateInput,
): Promise<Beneficiary> {
  const input = parseInput(beneficiaryUpdateInput, given);
  const updated = await tryChange(client, call, current, input, await hashFor(call, input));
  if (updated === null) throw new Error('a locked beneficiary keeps its revision');
  return updated;
}

/** Only a new address is hashed. */
async function hashFor(call: Call, { email }: Parsed): Promise<EmailHash | null> {
  return email === undefined ? null : emailHash(call);
}

async function tryChange(
  client: PoolClient,
  call: Call,
  current: Beneficiary,
  input: Parsed,
  hash: EmailHash | null,
): Promise<Beneficiary | null> {
  const beneficiaryType = current.beneficiaryType as BeneficiaryType; // held by a CHECK constraint
  requireSameType(beneficiaryType, input);
  requireOwnFields({ ...input, beneficiaryType });
  const before = plainOf(call, current);
  const after = merge(before, input);
  requireLegalName({ ...after, beneficiaryType });
  if (contentHash(before).equals(contentHash(after))) return current;
  const triggered = triggerFieldsChanged(before, after).length > 0;
  try {
    return await updateBeneficiary(client, call.scope, current.id, {
      from: current.revision,
      content: toContent(call, current, before, after, hash),
      emailKey: after.email === before.email ? null : emailKey(after.email),
      asksForAcknowledgment:
        triggered && current.acknowledgedAt !== null && !current.reacknowledgmentRequired,
      fields: changedFields(before, after),
    });
  } catch (error) {
    throw taken(error);
  }
}

function requireSameType(stored: BeneficiaryType, input: Parsed): void {
  const { beneficiaryType } = input;
  if (beneficiaryType === undefined || beneficiaryType === null || beneficiaryType === stored) {
    return;
  }
  throw invalid([
    { field: 'beneficiaryType', code: 'immutable', message: 'The type cannot be changed.' },
  ]);
}

/** The fields that a caller can change, in plain text. */
function plainOf(call: Call, row: Beneficiary) {
  return {
    ...openContact(call, row),
    nickname: row.nickname,
    firstName: row.firstName,
    lastName: row.lastName,
    countryOfResidence: row.countryOfResidence,
    businessName: row.businessName,
    countryOfIncorporation: row.countryOfIncorporation,
    registrationNumber: openPersonal(call, 'beneficiary', row, 'registrationNumber'),
    ...openIdentity(call, row),
    externalRef: row.externalRef,
    metadata: row.metadata as Record<string, string> | null, // written by these commands alone
  };
}

type Plain = ReturnType<typeof plainOf>;

/** What differs, by the names of the columns. */
const changedFields = (before: Plain, after: Plain): string[] =>
  Object.entries(after)
    .filter(([name, value]) => !contentHash(before[name as keyof Plain]).equals(contentHash(value)))
    .map(([name]) => columnName(name))
    .toSorted();

function merge(before: Plain, input: Parsed): Plain {
  const given = Object.entries(input).filter(
    ([field, value]) => field in before && value !== undefined,
  );
  const after: Plain = { ...before, ...Object.fromEntries(given) };
  return {
    ...after,
    postalAddress: compactAddress(after.postalAddress),
    metadata: emptyToNull(after.metadata),
  };
}

/** A value that has not changed is not written. */
function toContent(
  call: Call,
  row: Beneficiary,
  before: Plain,
  after: Plain,
  hash: EmailHash | null,
): ChangedContent {
  const beneficiaryType = row.beneficiaryType as BeneficiaryType;
  const seal = (field: PersonalFieldOf<'beneficiary'> & keyof Plain) =>
    contentHash(before[field]).equals(contentHash(after[field]))
      ? undefined
      : sealPersonal(call, 'beneficiary', row, field, after[field]);
  const { nickname, firstName, lastName, businessName } = after;
  const { countryOfResidence, countryOfIncorporation, externalRef, metadata } = after;
  const newEmail = after.email === before.email ? undefined : after.email;
  return {
    nickname,
    firstName,
    lastName,
    businessName,
    countryOfResidence,
    countryOfIncorporation,
    externalRef,
    metadata,
    emailCiphertext:
      newEmail === undefined ? undefined : sealText(call, 'beneficiary', row, 'email', newEmail),
    emailHash: newEmail === undefined ? undefined : hash?.(emailKey(newEmail)),
    phoneCiphertext: seal('phone'),
    registrationNumberCiphertext: seal('registrationNumber'),
    postalAddressCiphertext: seal('postalAddress'),
    dateOfBirthCiphertext: seal('dateOfBirth'),
    taxIdCiphertext: seal('taxId'),
    identityPending: row.identityPending && !identityComplete({ ...after, beneficiaryType }),
  };
}
