import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import type { MaskedBankDetails } from '../bank-account/mask.ts';
import { beneficiaryColumns } from './store.ts';

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

/** The columns of `contentValues`, in its order. */
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

function contentValues(content: BeneficiaryContent): unknown[] {
  return [
    content.email,
    content.emailKey,
    content.phone,
    content.nickname,
    content.firstName,
    content.lastName,
    content.countryOfResidence,
    content.dateOfBirthCiphertext,
    content.businessName,
    content.countryOfIncorporation,
    content.registrationNumber,
    content.taxIdCiphertext,
    content.postalAddress === null ? null : JSON.stringify(content.postalAddress),
    content.identityPending,
  ];
}

/**
 * The record of a change of compliance, made by the statement that makes the change: `changed` has
 * the row's columns as they are now, and `from_status`.
 */
export function transitionCte(kind: string, actor: string, reason = 'NULL'): string {
  return `
    record AS (
      INSERT INTO beneficiary_transition (
        tenant_id, beneficiary_id, seq, kind, from_status, to_status, actor, reason
      )
      SELECT c.tenant_id, c.id, c.transition_count, ${kind}, c.from_status,
        CASE WHEN ${kind} = 'archived' THEN 'archived' ELSE c.compliance_status END,
        ${actor}::jsonb, ${reason}
      FROM changed c
    )`;
}

const firstContent = 7;
const contentParameters = contentColumns.map((_, index) => `$${firstContent + index}`);

const registerBeneficiary: Statement = {
  name: 'register_beneficiary',
  text: `
    WITH created AS (
      INSERT INTO beneficiary (
        tenant_id, id, beneficiary_type, compliance_status, acknowledged_at, masked_bank_details,
        transition_count, ${contentColumns.join(', ')}
      )
      VALUES (
        $1, $2, $3, $4, CASE WHEN $4 = 'compliant' THEN now() END, $5::jsonb,
        1, ${contentParameters.join(', ')}
      )
      RETURNING *
    ),
    changed AS (SELECT c.*, 'new' AS from_status FROM created c),
    ${transitionCte(`'registered'`, '$6')}
    SELECT ${beneficiaryColumns} FROM created b`,
};

export interface NewBeneficiary extends BeneficiaryContent {
  readonly id: string;
  readonly beneficiaryType: 'person' | 'business';
  readonly complianceStatus: 'pending' | 'compliant';
  readonly maskedBankDetails: MaskedBankDetails | null;
}

/** Violates `beneficiary_tenant_id_email_key_key` when the address is taken. */
export async function insertBeneficiary(
  client: Queryable,
  scope: Scope,
  beneficiary: NewBeneficiary,
): Promise<Beneficiary> {
  const { maskedBankDetails } = beneficiary;
  const row = await firstRow<Beneficiary>(client, registerBeneficiary, [
    scope.tenantId,
    beneficiary.id,
    beneficiary.beneficiaryType,
    beneficiary.complianceStatus,
    maskedBankDetails === null ? null : JSON.stringify(maskedBankDetails),
    JSON.stringify(scope.actor),
    ...contentValues(beneficiary),
  ]);
  if (row === null) throw new Error('an insert returns its row');
  return row;
}

/**
 * What a change writes. A ciphertext that is undefined stays: only the row knows what it is by then,
 * since a rotation of keys replaces ciphertexts without touching the revision.
 */
export type ChangedContent = Omit<
  BeneficiaryContent,
  'dateOfBirthCiphertext' | 'taxIdCiphertext'
> & {
  readonly dateOfBirthCiphertext: Uint8Array | null | undefined;
  readonly taxIdCiphertext: Uint8Array | null | undefined;
};

/** The parameter after the content's that tells whether a ciphertext is written. */
const givenParameter: Partial<Record<(typeof contentColumns)[number], string>> = {
  date_of_birth_ciphertext: `$${firstContent - 1 + contentColumns.length}`,
  tax_id_ciphertext: `$${firstContent + contentColumns.length}`,
};

const assignments = contentColumns.map((name, index) => {
  const value = `$${firstContent - 1 + index}`;
  const given = givenParameter[name];
  if (given === undefined) return `${name} = ${value}`;
  return `${name} = CASE WHEN ${given}::boolean THEN ${value}::bytea ELSE b.${name} END`;
});

/** `$4`: the change asks for another acknowledgment, which is a change of compliance on record. */
const updateContent: Statement = {
  name: 'update_beneficiary',
  text: `
    WITH updated AS (
      UPDATE beneficiary b SET
        ${assignments.join(', ')},
        reacknowledgment_required = b.reacknowledgment_required OR $4::boolean,
        transition_count = b.transition_count + CASE WHEN $4::boolean THEN 1 ELSE 0 END,
        revision = b.revision + 1, updated_at = now()
      WHERE b.tenant_id = $1 AND b.id = $2 AND b.revision = $3 AND b.archived_at IS NULL
      RETURNING b.*
    ),
    changed AS (
      SELECT u.*, u.compliance_status AS from_status FROM updated u WHERE $4::boolean
    ),
    ${transitionCte(`'reacknowledgment_required'`, '$5')}
    SELECT ${beneficiaryColumns} FROM updated b`,
};

/**
 * Replaces the content of a beneficiary that still has the revision `from`; null when somebody was
 * faster or archived it. Violates `beneficiary_tenant_id_email_key_key` when the address is taken.
 */
export function updateBeneficiary(
  client: Queryable,
  scope: Scope,
  id: string,
  change: {
    readonly from: number;
    readonly content: ChangedContent;
    readonly asksForAcknowledgment: boolean;
  },
): Promise<Beneficiary | null> {
  const { dateOfBirthCiphertext, taxIdCiphertext } = change.content;
  return firstRow<Beneficiary>(client, updateContent, [
    scope.tenantId,
    id,
    change.from,
    change.asksForAcknowledgment,
    JSON.stringify(scope.actor),
    ...contentValues({
      ...change.content,
      dateOfBirthCiphertext: dateOfBirthCiphertext ?? null,
      taxIdCiphertext: taxIdCiphertext ?? null,
    }),
    dateOfBirthCiphertext !== undefined,
    taxIdCiphertext !== undefined,
  ]);
}

const archiveBeneficiary: Statement = {
  name: 'archive_beneficiary',
  text: `
    WITH changed AS (
      UPDATE beneficiary b SET
        archived_at = now(), transition_count = b.transition_count + 1,
        revision = b.revision + 1, updated_at = now()
      WHERE b.tenant_id = $1 AND b.id = $2 AND b.archived_at IS NULL
      RETURNING b.*, b.compliance_status AS from_status
    ),
    ${transitionCte(`'archived'`, '$3')}
    SELECT ${beneficiaryColumns} FROM changed b`,
};

/** Archives a beneficiary; null when it is unknown or archived already. */
export function archive(client: Queryable, scope: Scope, id: string): Promise<Beneficiary | null> {
  return firstRow<Beneficiary>(client, archiveBeneficiary, [
    scope.tenantId,
    id,
    JSON.stringify(scope.actor),
  ]);
}
