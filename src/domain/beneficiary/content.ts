import type { Beneficiary } from '../../../generated/prisma/client.ts';
import { columnName } from '../../db/columns.ts';
import { violatesUnique } from '../../db/errors.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { referenceTaken } from '../own-fields.ts';
import {
  fieldsOfOtherType,
  missingIdentityFields,
  missingLegalNameFields,
  type BeneficiaryType,
  type IdentityFacts,
} from './identity.ts';

/** The identity facts of a stored row: presence counts, so ciphertexts stand for their fields. */
export function identityOf(row: Beneficiary): IdentityFacts {
  // The column's CHECK constraint holds the two types.
  const beneficiaryType = row.beneficiaryType as BeneficiaryType;
  return {
    ...row,
    beneficiaryType,
    dateOfBirth: row.dateOfBirthCiphertext,
    registrationNumber: row.registrationNumberCiphertext ?? row.registrationNumber,
  };
}

function named(fields: readonly string[]): string {
  return fields.map(columnName).join(', ');
}

/** Throws BENEFICIARY_IDENTITY_INVALID for a field of the other type. */
export function requireOwnFields(facts: IdentityFacts): void {
  const foreign = fieldsOfOtherType(facts);
  if (foreign.length === 0) return;
  throw new DomainError('BENEFICIARY_IDENTITY_INVALID', {
    message: `Not a field of a ${facts.beneficiaryType}: ${named(foreign)}.`,
  });
}

/** Throws BENEFICIARY_IDENTITY_INCOMPLETE without a legal name. */
export function requireLegalName(facts: IdentityFacts): void {
  const missing = missingLegalNameFields(facts);
  if (missing.length > 0) throw incomplete(missing);
}

/** Throws BENEFICIARY_IDENTITY_INCOMPLETE unless every required field is there. */
export function requireCompleteIdentity(facts: IdentityFacts): void {
  const missing = missingIdentityFields(facts);
  if (missing.length > 0) throw incomplete(missing);
}

function incomplete(missing: readonly string[]): DomainError {
  return new DomainError('BENEFICIARY_IDENTITY_INCOMPLETE', {
    message: `The identity lacks ${named(missing)}.`,
  });
}

/** An address as it is stored: parts that were not given are left out. */
export function compactAddress(address: object | null | undefined): object | null {
  if (address === null || address === undefined) return null;
  return Object.fromEntries(
    Object.entries(address).filter(([, part]) => part !== null && part !== undefined),
  );
}

/** A failed write as the caller is told of it: unique indexes guard the address and the reference. */
export function taken(error: unknown): unknown {
  return violatesUnique(error, 'beneficiary_tenant_id_email_hash_key')
    ? new DomainError('BENEFICIARY_EMAIL_ALREADY_EXISTS', { cause: error })
    : referenceTaken(error, 'beneficiary');
}
