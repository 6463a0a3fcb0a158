import { columnName } from '../../db/columns.ts';
import { emailKey } from '../../values/fields.ts';
import { personal } from './personal.ts';

/** A column of the primary key after `tenant_id`. */
interface KeyColumn {
  readonly name: string;
  readonly type: 'text' | 'integer' | 'uuid';
  /** Below every value that the column has. */
  readonly lowest: string;
}

/** The clear column that holds the value of rows that are not carried over yet. */
interface ClearColumn {
  readonly column: string;
  /** Emptied with it: the form in which the value was compared. */
  readonly compared: string | null;
}

/** The keyed hash beside a ciphertext by which a value is found. */
interface HashColumn {
  readonly column: string;
  /** The condition of the unique index over the hash. */
  readonly uniqueWhere: string;
  /** The form in which values are compared. */
  readonly compared: (text: string) => string;
}

/** A column that holds ciphertexts, and what each is bound to (src/crypto/keyring.ts). */
export interface EncryptedColumn {
  /** `<table>.<column>`, as operators see it. */
  readonly name: string;
  readonly table: string;
  readonly column: string;
  /** Null for a table of the platform, whose rows belong to no tenant. */
  readonly tenant: 'tenant_id' | null;
  readonly key: readonly KeyColumn[];
  /** The field that the ciphertext is bound to; its row is the key's values joined by dots. */
  readonly field: string;
  readonly clear: ClearColumn | null;
  readonly hash: HashColumn | null;
}

const id: KeyColumn = { name: 'id', type: 'text', lowest: '' };
const uuid: KeyColumn = {
  name: 'id',
  type: 'uuid',
  lowest: '00000000-0000-0000-0000-000000000000',
};

/** The columns of a key that are not texts. */
const keyColumns: Readonly<Record<string, KeyColumn>> = {
  version: { name: 'version', type: 'integer', lowest: '0' },
};

function keyOf({ key }: { readonly key: readonly string[] }): KeyColumn[] {
  return key.map(columnName).map((name) => keyColumns[name] ?? { ...id, name });
}

function encrypted(
  table: string,
  field: string,
  more: Partial<EncryptedColumn> = {},
): EncryptedColumn {
  const column = `${field}_ciphertext`;
  const name = `${table}.${column}`;
  return {
    name,
    table,
    column,
    tenant: 'tenant_id',
    key: [id],
    field,
    clear: null,
    hash: null,
    ...more,
  };
}

type PersonalModel = (typeof personal)[keyof typeof personal];

/** The columns of a model of the table of personal data. */
function ofModel(model: PersonalModel): EncryptedColumn[] {
  const { table, fields } = model;
  return Object.entries<{ clear?: true; found?: true }>(fields).map(([name, { clear, found }]) => {
    const field = columnName(name);
    return encrypted(table, field, {
      key: keyOf(model),
      ...(clear && { clear: { column: field, compared: found ? `${field}_key` : null } }),
      ...(found && {
        hash: {
          column: `${field}_hash`,
          uniqueWhere: 'archived_at IS NULL',
          compared: emailKey,
        },
      }),
    });
  });
}

/**
 * Every encrypted column of the database, in the order in which a rotation walks them. A column that is
 * missing here would lose its data with the old key, so a test compares the list with the schema. Columns
 * that are emptied soon come last, since little is left in them by then.
 */
export const encryptedColumns: readonly EncryptedColumn[] = [
  encrypted('lookup_key', 'key', { tenant: null }),
  ...ofModel(personal.bankAccountVersion),
  encrypted('bank_account_version', 'identifiers', {
    key: keyOf(personal.bankAccountVersion),
  }),
  ...ofModel(personal.bankAccount),
  ...ofModel(personal.beneficiary),
  encrypted('webhook_subscription', 'secret'),
  encrypted('bank_connection', 'account'),
  encrypted('bank_connection', 'credentials'),
  encrypted('bank_connection', 'further_accounts'),
  encrypted('tax_document', 'content_key'),
  encrypted('bank_batch', 'content_key'),
  encrypted('bank_file', 'content_key'),
  encrypted('bank_account_proposal', 'correction'),
  encrypted('name_check', 'name_on_file'),
  encrypted('screening_result', 'subject'),
  encrypted('screening_hit', 'explained'),
  encrypted('collection_request', 'draft', { key: [uuid] }),
  encrypted('enrollment', 'payee'),
  encrypted('proposed_change', 'payload'),
];

/** Condition of the rows of a column that are to be carried over, under an alias; null where there can be none. */
export function inClearSql({ column, clear, hash }: EncryptedColumn, alias: string): string | null {
  const conditions = [
    ...(clear === null ? [] : [`${alias}.${clear.column} IS NOT NULL`]),
    ...(hash === null
      ? []
      : [`(${alias}.${column} IS NOT NULL AND ${alias}.${hash.column} IS NULL)`]),
  ];
  return conditions.length === 0 ? null : conditions.join(' OR ');
}
