import type { PoolClient } from 'pg';
import type { Beneficiary } from '../../../generated/prisma/client.ts';
import { userOf, type Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, rows, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { screenSoon, toBeScreened } from './screen-soon.ts';
import { beneficiaryColumns } from './store.ts';
import { recordTransitions } from './transition-store.ts';

/** The readable columns that a caller's input decides. */
interface ReadableContent {
  readonly nickname: string | null;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly countryOfResidence: string | null;
  readonly businessName: string | null;
  readonly countryOfIncorporation: string | null;
  readonly identityPending: boolean;
  readonly externalRef: string | null;
  readonly metadata: unknown;
}

/** The encrypted columns that a caller's input decides, with the hash of the address. */
export interface SealedContent {
  readonly emailCiphertext: Uint8Array;
  readonly emailHash: Uint8Array;
  readonly phoneCiphertext: Uint8Array | null;
  readonly registrationNumberCiphertext: Uint8Array | null;
  readonly postalAddressCiphertext: Uint8Array | null;
  readonly dateOfBirthCiphertext: Uint8Array | null;
  readonly taxIdCiphertext: Uint8Array | null;
}

const readableColumns = [
  'nickname',
  'first_name',
  'last_name',
  'country_of_residence',
  'business_name',
  'country_of_incorporation',
  'identity_pending',
  'external_ref',
  'metadata',
] as const;

/** Each with the clear columns that a write empties: the row may not be carried over yet. */
const sealedColumns = {
  email_ciphertext: ['email', 'email_key'],
  email_hash: [],
  phone_ciphertext: ['phone'],
  registration_number_ciphertext: ['registration_number'],
  postal_address_ciphertext: ['postal_address'],
  date_of_birth_ciphertext: [],
  tax_id_ciphertext: [],
} as const;

type SealedColumn = keyof typeof sealedColumns;

const sealedNames = Object.keys(sealedColumns) as SealedColumn[]; // an object's keys are its type's
const contentColumns = [...readableColumns, ...sealedNames] as const;

type ContentColumn = (typeof contentColumns)[number];

function contentValues(content: ChangedContent): Record<ContentColumn, unknown> {
  return {
    nickname: content.nickname,
    first_name: content.firstName,
    last_name: content.lastName,
    country_of_residence: content.countryOfResidence,
    business_name: content.businessName,
    country_of_incorporation: content.countryOfIncorporation,
    identity_pending: content.identityPending,
    external_ref: content.externalRef,
    metadata: content.metadata,
    ...sealedValues(content),
  };
}

function sealedValues(content: ChangedContent): Record<SealedColumn, unknown> {
  return {
    email_ciphertext: content.emailCiphertext,
    email_hash: content.emailHash,
    phone_ciphertext: content.phoneCiphertext,
    registration_number_ciphertext: content.registrationNumberCiphertext,
    postal_address_ciphertext: content.postalAddressCiphertext,
    date_of_birth_ciphertext: content.dateOfBirthCiphertext,
    tax_id_ciphertext: content.taxIdCiphertext,
  };
}

/**
 * Whether an active row that is not carried over yet has an address: the unique index over the hashes does
 * not see it. No such row is ever added, so the statement's snapshot is enough.
 */
const takenInClear = `EXISTS (
        SELECT 1 FROM beneficiary c
        WHERE c.tenant_id = @tenant AND c.email_key = @email_key::text AND c.archived_at IS NULL
          AND c.id <> @beneficiary
      )`;

function registration(status: 'pending' | 'compliant') {
  const acknowledgedAt = status === 'compliant' ? 'now()' : 'NULL';
  return named(
    `register_${status}_beneficiary`,
    ['tenant', 'beneficiary', 'type', 'bank', 'email_key', 'editor', ...contentColumns],
    `
      INSERT INTO beneficiary AS b (
        tenant_id, id, beneficiary_type, compliance_status, acknowledged_at,
        masked_bank_details_ciphertext, transition_count, edited_by, screening, ${contentColumns.join(', ')}
      )
      SELECT
        @tenant, @beneficiary, @type, '${status}', ${acknowledgedAt}, @bank,
        1, @editor, ${toBeScreened('@tenant')},
        ${contentColumns.map((column) => `@${column}`).join(', ')}
      WHERE NOT ${takenInClear}
      RETURNING ${beneficiaryColumns}`,
  );
}

const registrations = { pending: registration('pending'), compliant: registration('compliant') };

export interface NewBeneficiary extends ReadableContent, SealedContent {
  readonly id: string;
  readonly beneficiaryType: 'person' | 'business';
  readonly complianceStatus: 'pending' | 'compliant';
  readonly maskedBankDetailsCiphertext: Uint8Array | null;
  /** The address in the form in which it is compared. */
  readonly emailKey: string;
}

/**
 * Throws BENEFICIARY_EMAIL_ALREADY_EXISTS when the address is taken in clear; violates
 * `beneficiary_tenant_id_email_hash_key` when it is taken otherwise, and
 * `beneficiary_tenant_id_external_ref_key` when the reference is.
 */
export async function insertBeneficiary(
  client: PoolClient,
  scope: Scope,
  beneficiary: NewBeneficiary,
): Promise<Beneficiary> {
  const { id } = beneficiary;
  const register = registrations[beneficiary.complianceStatus];
  const values = register.of({
    tenant: scope.tenantId,
    beneficiary: id,
    type: beneficiary.beneficiaryType,
    bank: beneficiary.maskedBankDetailsCiphertext,
    email_key: beneficiary.emailKey,
    editor: userOf(scope),
    ...contentValues(beneficiary),
  });
  const row = await firstRow<Beneficiary>(client, register, values);
  if (row === null) throw new DomainError('BENEFICIARY_EMAIL_ALREADY_EXISTS');
  await recordTransitions(client, scope, [id], { kind: 'registered', from: 'new' });
  await screenSoon(client, scope, [row]);
  return row;
}

/** The columns by which a payee is found on a list. */
const screened: readonly string[] = [
  'first_name',
  'last_name',
  'business_name',
  'date_of_birth',
  'country_of_residence',
  'country_of_incorporation',
  'postal_address',
  'registration_number',
  'tax_id',
];

/**
 * What a change writes. A value that is undefined stays as the row has it: a rotation of keys, or the
 * carrying over of what lies in clear, may have replaced it meanwhile, without a new revision.
 */
export type ChangedContent = ReadableContent & {
  readonly [F in keyof SealedContent]: SealedContent[F] | undefined;
};

const assignments = [
  ...readableColumns.map((column) => `${column} = @${column}`),
  ...sealedNames.flatMap((column) => {
    const written = `'${column}' = ANY (@written::text[])`;
    return [
      `${column} = CASE WHEN ${written} THEN @${column}::bytea ELSE b.${column} END`,
      ...sealedColumns[column].map(
        (clear) => `${clear} = CASE WHEN ${written} THEN NULL ELSE b.${clear} END`,
      ),
    ];
  }),
];

/**
 * Who a payee is has to be screened again where it changes; a hit stays open until then.
 *
 * Each change is on record; one that asks for another acknowledgment (`@asks`) as one of compliance.
 */
const updateContent = named(
  'update_beneficiary',
  [
    'tenant',
    'beneficiary',
    'from',
    'asks',
    'screens',
    'written',
    'email_key',
    'editor',
    ...contentColumns,
  ],
  `
    UPDATE beneficiary b SET
      ${assignments.join(', ')},
      screening = CASE WHEN @screens::boolean AND coalesce(b.screening, 'clear') NOT IN ('hit', 'confirmed')
        THEN ${toBeScreened('@tenant')} ELSE b.screening END,
      reacknowledgment_required = b.reacknowledgment_required OR @asks::boolean,
      transition_count = b.transition_count + 1,
      revision = b.revision + 1, edited_by = @editor, updated_at = command.clock()
    WHERE b.tenant_id = @tenant AND b.id = @beneficiary AND b.revision = @from AND b.archived_at IS NULL
      AND NOT ${takenInClear}
    RETURNING ${beneficiaryColumns}`,
);

const addressInClear = named(
  'beneficiary_address_in_clear',
  ['tenant', 'beneficiary', 'email_key'],
  `SELECT true AS taken WHERE ${takenInClear}`,
);

/**
 * Replaces the content of a beneficiary that still has the revision `from`; null when somebody was
 * faster or archived it. Throws and violates as `insertBeneficiary` when the address is taken.
 */
export async function updateBeneficiary(
  client: PoolClient,
  scope: Scope,
  id: string,
  change: {
    readonly from: number;
    readonly content: ChangedContent;
    /** The new address in the form in which it is compared; null where the address stays. */
    readonly emailKey: string | null;
    readonly asksForAcknowledgment: boolean;
    /** The columns of what differs. */
    readonly fields: readonly string[];
  },
): Promise<Beneficiary | null> {
  const about = { tenant: scope.tenantId, beneficiary: id, email_key: change.emailKey };
  const content = contentValues(change.content);
  const screens = change.fields.some((field) => screened.includes(field));
  const values = updateContent.of({
    ...about,
    from: change.from,
    editor: userOf(scope),
    asks: change.asksForAcknowledgment,
    screens,
    written: sealedNames.filter((column) => content[column] !== undefined),
    ...content,
  });
  const updated = await firstRow<Beneficiary>(client, updateContent, values);
  if (updated === null && change.emailKey !== null) {
    const taken = await firstRow(client, addressInClear, addressInClear.of(about));
    if (taken !== null) throw new DomainError('BENEFICIARY_EMAIL_ALREADY_EXISTS');
  }
  if (updated !== null) {
    const kind = change.asksForAcknowledgment ? 'reacknowledgment_required' : 'updated';
    await recordTransitions(client, scope, [id], { kind, fields: change.fields });
    if (screens) await screenSoon(client, scope, [updated]);
  }
  return updated;
}

const archiveBeneficiary: Statement = {
  name: 'archive_beneficiary',
  text: `
    UPDATE beneficiary b SET
      archived_at = now(), transition_count = b.transition_count + 1,
      revision = b.revision + 1, updated_at = command.clock()
    WHERE b.tenant_id = $1 AND b.id = $2 AND b.archived_at IS NULL
    RETURNING ${beneficiaryColumns}`,
};

/** Whoever registers an account holds the owner's row, so this sees every account of the archived one. */
const freeReferences: Statement = {
  name: 'free_references_of_accounts',
  text: `
    UPDATE bank_account SET external_ref_freed = true, updated_at = command.clock()
    WHERE tenant_id = $1 AND beneficiary_id = $2 AND external_ref IS NOT NULL`,
};

/** Archives a beneficiary; null when it is unknown or archived already. */
export async function archive(
  client: PoolClient,
  scope: Scope,
  id: string,
): Promise<Beneficiary | null> {
  const archived = await firstRow<Beneficiary>(client, archiveBeneficiary, [scope.tenantId, id]);
  if (archived === null) return null;
  await rows(client, freeReferences, [scope.tenantId, id]);
  await recordTransitions(client, scope, [id], { kind: 'archived' });
  return archived;
}
