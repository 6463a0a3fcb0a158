import type { PoolClient } from 'pg';
import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, type Statement } from '../../db/pool.ts';
import type { MaskedBankDetails } from '../bank-account/mask.ts';
import { beneficiaryColumns } from './store.ts';
import { recordTransitions } from './transition-store.ts';

/** The columns that a caller's input decides, birth date and tax id encrypted. */
export interface BeneficiaryContent {
  readonly email: string;
  readonly emailKey: string;
  readonly phone: string | null;
  readonly nickname: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly countryOfResidence: string | null;
  readonly dateOfBirthCiphertext: Uint8Array | null;
  readonly businessName: string | null;
  readonly countryOfIncorporation: string | null;
  readonly registrationNumber: string | null;
  readonly taxIdCiphertext: Uint8Array | null;
  readonly postalAddress: object | null;
  readonly identityPending: boolean;
}

/** The columns of `BeneficiaryContent`; each is also the name of its parameter. */
const contentColumns = [
  'email',
  'email_key',
  'phone',
  'nickname',
  'first_name',
  'last_name',
  'country_of_residence',
  'date_of_birth_ciphertext',
  'business_name',
  'country_of_incorporation',
  'registration_number',
  'tax_id_ciphertext',
  'postal_address',
  'identity_pending',
] as const;

type ContentColumn = (typeof contentColumns)[number];

function contentValues(content: BeneficiaryContent): Record<ContentColumn, unknown> {
  return {
    email: content.email,
    email_key: content.emailKey,
    phone: content.phone,
    nickname: content.nickname,
    first_name: content.firstName,
    last_name: content.lastName,
    country_of_residence: content.countryOfResidence,
    date_of_birth_ciphertext: content.dateOfBirthCiphertext,
    business_name: content.businessName,
    country_of_incorporation: content.countryOfIncorporation,
    registration_number: content.registrationNumber,
    tax_id_ciphertext: content.taxIdCiphertext,
    postal_address: content.postalAddress === null ? null : JSON.stringify(content.postalAddress),
    identity_pending: content.identityPending,
  };
}

function registration(status: 'pending' | 'compliant') {
  const acknowledgedAt = status === 'compliant' ? 'now()' : 'NULL';
  return named(
    `register_${status}_beneficiary`,
    ['tenant', 'beneficiary', 'type', 'bank', ...contentColumns],
    `
      INSERT INTO beneficiary AS b (
        tenant_id, id, beneficiary_type, compliance_status, acknowledged_at, masked_bank_details,
        transition_count, ${contentColumns.join(', ')}
      )
      VALUES (
        @tenant, @beneficiary, @type, '${status}', ${acknowledgedAt}, @bank::jsonb,
        1, ${contentColumns.map((column) => `@${column}`).join(', ')}
      )
      RETURNING ${beneficiaryColumns}`,
  );
}

const registrations = { pending: registration('pending'), compliant: registration('compliant') };

export interface NewBeneficiary extends BeneficiaryContent {
  readonly id: string;
  readonly beneficiaryType: 'person' | 'business';
  readonly complianceStatus: 'pending' | 'compliant';
  readonly maskedBankDetails: MaskedBankDetails | null;
}

/** Violates `beneficiary_tenant_id_email_key_key` when the address is taken. */
export async function insertBeneficiary(
  client: PoolClient,
  scope: Scope,
  beneficiary: NewBeneficiary,
): Promise<Beneficiary> {
  const { id, maskedBankDetails } = beneficiary;
  const register = registrations[beneficiary.complianceStatus];
  const values = register.of({
    tenant: scope.tenantId,
    beneficiary: id,
    type: beneficiary.beneficiaryType,
    bank: maskedBankDetails === null ? null : JSON.stringify(maskedBankDetails),
    ...contentValues(beneficiary),
  });
  const row = await firstRow<Beneficiary>(client, register, values);
  if (row === null) throw new Error('an insert returns its row');
  await recordTransitions(client, scope, [id], { kind: 'registered', from: 'new' });
  return row;
}

/**
 * What a change writes. A ciphertext that is undefined stays as the row has it: a rotation of keys may
 * have replaced it meanwhile, without a new revision.
 */
export type ChangedContent = Omit<
  BeneficiaryContent,
  'dateOfBirthCiphertext' | 'taxIdCiphertext'
> & {
  readonly dateOfBirthCiphertext: Uint8Array | null | undefined;
  readonly taxIdCiphertext: Uint8Array | null | undefined;
};

/** The parameters that tell whether a ciphertext is written. */
const writesCiphertext: Partial<Record<ContentColumn, string>> = {
  date_of_birth_ciphertext: '@newDateOfBirth',
  tax_id_ciphertext: '@newTaxId',
};

const assignments = contentColumns.map((column) => {
  const written = writesCiphertext[column];
  if (written === undefined) return `${column} = @${column}`;
  return `${column} = CASE WHEN ${written}::boolean THEN @${column}::bytea ELSE b.${column} END`;
});

/** A change that asks for another acknowledgment (`@asks`) is a change of compliance on record. */
const updateContent = named(
  'update_beneficiary',
  ['tenant', 'beneficiary', 'from', 'asks', 'newDateOfBirth', 'newTaxId', ...contentColumns],
  `
    UPDATE beneficiary b SET
      ${assignments.join(', ')},
      reacknowledgment_required = b.reacknowledgment_required OR @asks::boolean,
      transition_count = b.transition_count + CASE WHEN @asks::boolean THEN 1 ELSE 0 END,
      revision = b.revision + 1, updated_at = now()
    WHERE b.tenant_id = @tenant AND b.id = @beneficiary AND b.revision = @from AND b.archived_at IS NULL
    RETURNING ${beneficiaryColumns}`,
);

/**
 * Replaces the content of a beneficiary that still has the revision `from`; null when somebody was
 * faster or archived it. Violates `beneficiary_tenant_id_email_key_key` when the address is taken.
 */
export async function updateBeneficiary(
  client: PoolClient,
  scope: Scope,
  id: string,
  change: {
    readonly from: number;
    readonly content: ChangedContent;
    readonly asksForAcknowledgment: boolean;
  },
): Promise<Beneficiary | null> {
  const { dateOfBirthCiphertext, taxIdCiphertext } = change.content;
  const values = updateContent.of({
    tenant: scope.tenantId,
    beneficiary: id,
    from: change.from,
    asks: change.asksForAcknowledgment,
    newDateOfBirth: dateOfBirthCiphertext !== undefined,
    newTaxId: taxIdCiphertext !== undefined,
    ...contentValues({
      ...change.content,
      dateOfBirthCiphertext: dateOfBirthCiphertext ?? null,
      taxIdCiphertext: taxIdCiphertext ?? null,
    }),
  });
  const updated = await firstRow<Beneficiary>(client, updateContent, values);
  if (updated !== null && change.asksForAcknowledgment) {
    await recordTransitions(client, scope, [id], { kind: 'reacknowledgment_required' });
  }
  return updated;
}

const archiveBeneficiary: Statement = {
  name: 'archive_beneficiary',
  text: `
    UPDATE beneficiary b SET
      archived_at = now(), transition_count = b.transition_count + 1,
      revision = b.revision + 1, updated_at = now()
    WHERE b.tenant_id = $1 AND b.id = $2 AND b.archived_at IS NULL
    RETURNING ${beneficiaryColumns}`,
};

/** Archives a beneficiary; null when it is unknown or archived already. */
export async function archive(
  client: PoolClient,
  scope: Scope,
  id: string,
): Promise<Beneficiary | null> {
  const archived = await firstRow<Beneficiary>(client, archiveBeneficiary, [scope.tenantId, id]);
  if (archived !== null) await recordTransitions(client, scope, [id], { kind: 'archived' });
  return archived;
}
