import { Prisma, type Beneficiary } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import { DomainError, notFound } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { openPersonal, openPersonalObject, type PersonalRow } from '../encryption/personal.ts';

/** The select list that gives a beneficiary's row the names of its Prisma model. */
export const beneficiaryColumns = columns(Prisma.BeneficiaryScalarFieldEnum, 'b');

const beneficiaryById: Statement = {
  name: 'beneficiary_by_id',
  text: `SELECT ${beneficiaryColumns} FROM beneficiary b WHERE b.tenant_id = $1 AND b.id = $2`,
};

const beneficiaryByIdLocked: Statement = {
  name: 'beneficiary_by_id_locked',
  text: `${beneficiaryById.text} FOR NO KEY UPDATE`,
};

/** One beneficiary of the scope's tenant, archived ones included; null when unknown or malformed. */
export async function findBeneficiary(call: Call, id: string): Promise<Beneficiary | null> {
  if (!isId('beneficiary', id)) return null;
  return firstRow<Beneficiary>(call.services.pool, beneficiaryById, [call.scope.tenantId, id]);
}

const beneficiariesById: Statement = {
  name: 'beneficiaries_by_id',
  text: `
    SELECT ${beneficiaryColumns} FROM beneficiary b WHERE b.tenant_id = $1 AND b.id = ANY ($2::text[])`,
};

/** Those of the beneficiaries of the scope's tenant that exist, by their ids; archived ones included. */
export async function findBeneficiaries(
  client: Queryable,
  scope: Scope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Beneficiary>> {
  const found = await rows<Beneficiary>(client, beneficiariesById, [scope.tenantId, ids]);
  return new Map(found.map((beneficiary) => [beneficiary.id, beneficiary]));
}

/** As `findBeneficiary`; throws `not_found`. */
export async function readBeneficiary(call: Call, id: string): Promise<Beneficiary> {
  const beneficiary = await findBeneficiary(call, id);
  if (beneficiary === null) throw notFound('beneficiary');
  return beneficiary;
}

/** As `readBeneficiary`, for writes: throws BENEFICIARY_ARCHIVED too. */
export async function readActiveBeneficiary(call: Call, id: string): Promise<Beneficiary> {
  const beneficiary = await readBeneficiary(call, id);
  if (beneficiary.archivedAt !== null) throw new DomainError('BENEFICIARY_ARCHIVED');
  return beneficiary;
}

/** The beneficiary, locked against every other writer until the transaction ends; null when unknown. */
export async function lockBeneficiary(
  client: Queryable,
  scope: Scope,
  id: string,
): Promise<Beneficiary | null> {
  if (!isId('beneficiary', id)) return null;
  return firstRow<Beneficiary>(client, beneficiaryByIdLocked, [scope.tenantId, id]);
}

type SealedIdentity = Pick<Beneficiary, 'id' | 'dateOfBirthCiphertext' | 'taxIdCiphertext'>;

/** The birth date (`YYYY-MM-DD`) and the tax id of a row of the scope's tenant, decrypted. */
export function openIdentity(
  call: Call,
  row: SealedIdentity,
): { dateOfBirth: string | null; taxId: string | null } {
  return {
    dateOfBirth: openPersonal(call, 'beneficiary', row, 'dateOfBirth'),
    taxId: openPersonal(call, 'beneficiary', row, 'taxId'),
  };
}

/** The parts of a row of the scope's tenant by which the payee is reached. */
export function openContact(
  call: Call,
  row: Beneficiary,
): { email: string; phone: string | null; postalAddress: object | null } {
  return {
    email: openEmail(call, row),
    phone: openPersonal(call, 'beneficiary', row, 'phone'),
    postalAddress: openPersonalObject(call, 'beneficiary', row, 'postalAddress'),
  };
}

/**
 * The address of a row of the scope's tenant. Where it was erased, or lost with its key, it is one that
 * reaches nobody (RFC 2606, section 2).
 */
export function openEmail(call: Call, row: PersonalRow<'beneficiary', 'email'>): string {
  return openPersonal(call, 'beneficiary', row, 'email') ?? `${row.id}@erased.invalid`;
}
