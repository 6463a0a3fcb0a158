/** A column of the primary key after `tenant_id`. */
interface KeyColumn {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'uuid';
  /** Below every value that the column has. */
  readonly lowest: string;
}

/** A column that holds ciphertexts, and what each is bound to (src/crypto/keyring.ts). */
export interface EncryptedColumn {
  /** `<table>.<column>`, as operators see it. */
  readonly name: string;
  readonly table: string;
  readonly column: string;
  readonly key: readonly KeyColumn[];
  /** The field that the ciphertext is bound to; its row is the key's values joined by dots. */
  readonly field: string;
}

const id: KeyColumn = { name: 'id', type: 'text', lowest: '' };

function encrypted(
  table: string,
  column: string,
  field: string,
  key: readonly KeyColumn[] = [id],
): EncryptedColumn {
  return { name: `${table}.${column}`, table, column, key, field };
}

/**
 * Every encrypted column of the database, in the order in which a rotation walks them. A column that is
 * missing here would lose its data with the old key, so a test compares the list with the schema. Columns
 * that are emptied soon come last, since little is left in them by then.
 */
export const encryptedColumns: readonly EncryptedColumn[] = [
  encrypted('bank_account_version', 'identifiers_ciphertext', 'identifiers', [
    { ...id, name: 'bank_account_id' },
    { name: 'version', type: 'integer', lowest: '0' },
  ]),
  encrypted('beneficiary', 'date_of_birth_ciphertext', 'date_of_birth'),
  encrypted('beneficiary', 'tax_id_ciphertext', 'tax_id'),
  encrypted('webhook_subscription', 'secret_ciphertext', 'secret'),
  encrypted('tax_document', 'content_key_ciphertext', 'content_key'),
  encrypted('collection_request', 'draft_ciphertext', 'draft', [
    { name: 'id', type: 'uuid', lowest: '00000000-0000-0000-0000-000000000000' },
  ]),
  encrypted('enrollment', 'payee_ciphertext', 'payee'),
];
