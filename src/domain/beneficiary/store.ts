import { Prisma, type Beneficiary } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import type { Place } from '../../crypto/keyring.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import { DomainError, notFound } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';

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

type SecretField = 'date_of_birth' | 'tax_id';

function placeOf(tenantId: string, id: string, field: SecretField): Place {
  return { tenantId, row: id, field };
}

/** Encrypts a birth date or a tax id for its row; null stays null. */
export function seal(
  call: Call,
  id: string,
  field: SecretField,
  value: string | null,
): Buffer | null {
  const { services, scope } = call;
  return value === null
    ? null
    : services.keyring.encrypt(value, placeOf(scope.tenantId, id, field));
}

type SealedIdentity = Pick<Beneficiary, 'id' | 'dateOfBirthCiphertext' | 'taxIdCiphertext'>;

/** Decrypts one field of a row of the scope's tenant. Throws when the ciphertext is not this row's. */
export function openField(call: Call, row: SealedIdentity, field: SecretField): string | null {
  const { services, scope } = call;
  const sealed = field === 'tax_id' ? row.taxIdCiphertext : row.dateOfBirthCiphertext;
  return sealed === null
    ? null
    : services.keyring.decrypt(sealed, placeOf(scope.tenantId, row.id, field));
}

/** Decrypts the birth date (`YYYY-MM-DD`) and the tax id of a row of the scope's tenant. */
export function openIdentity(
  call: Call,
  row: SealedIdentity,
): { dateOfBirth: string | null; taxId: string | null } {
  return {
    dateOfBirth: openField(call, row, 'date_of_birth'),
    taxId: openField(call, row, 'tax_id'),
  };
}
