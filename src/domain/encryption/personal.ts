import { columnName } from '../../db/columns.ts';
import type { Call } from '../../process/services.ts';

/*
 * What a payee tells about itself, and how each part is stored: this table is the one declaration, and
 * reading, writing, the rotation of keys and the carrying over of rows in clear are made from it.
 *
 * A field `email` lies in the column `email_ciphertext`, bound to its tenant, row and field. Where the table
 * says `clear`, a row that was written before encryption holds it in the column `email` until it is carried
 * over (rotate.ts); such a row is read in either form.
 */

export interface PersonalField {
  /** Stored as JSON; a text otherwise. */
  readonly json?: true;
  /** A row may hold it in clear, in the column of its own name. */
  readonly clear?: true;
  /** Found by a keyed hash (lookup.ts) in `<field>_hash`; in clear, by `<field>_key`. */
  readonly found?: true;
}

interface PersonalModel {
  readonly table: string;
  /** The primary key after `tenant_id`, by the names of the Prisma model. */
  readonly key: readonly string[];
  readonly fields: Readonly<Record<string, PersonalField>>;
}

export const personal = {
  beneficiary: {
    table: 'beneficiary',
    key: ['id'],
    fields: {
      email: { clear: true, found: true },
      phone: { clear: true },
      registrationNumber: { clear: true },
      postalAddress: { clear: true, json: true },
      maskedBankDetails: { clear: true, json: true },
      dateOfBirth: {},
      taxId: {},
    },
  },
  bankAccount: {
    table: 'bank_account',
    key: ['id'],
    fields: { accountHolderName: { clear: true } },
  },
  bankAccountVersion: {
    table: 'bank_account_version',
    key: ['bankAccountId', 'version'],
    fields: { accountHolderName: { clear: true } },
  },
} as const satisfies Record<string, PersonalModel>;

type Model = keyof typeof personal;

/** Every column that a model keeps its fields in: encrypted, in clear, and what they are found by. */
export function personalColumns(model: Model): string[] {
  const fields: Readonly<Record<string, PersonalField>> = personal[model].fields;
  return Object.entries(fields).flatMap(([name, { clear, found }]) => {
    const field = columnName(name);
    return [
      `${field}_ciphertext`,
      ...(clear ? [field] : []),
      ...(found ? [`${field}_hash`, `${field}_key`] : []),
    ];
  });
}

type Fields<M extends Model> = (typeof personal)[M]['fields'];
export type PersonalFieldOf<M extends Model> = keyof Fields<M> & string;
type ClearFieldOf<M extends Model> = {
  [F in PersonalFieldOf<M>]: Fields<M>[F] extends { readonly clear: true } ? F : never;
}[PersonalFieldOf<M>];
type KeyOf<M extends Model> = {
  readonly [K in (typeof personal)[M]['key'][number]]: string | number;
};

/** What reading one field needs of a row: its key, the ciphertext, and the clear column where there is one. */
export type PersonalRow<M extends Model, F extends PersonalFieldOf<M>> = KeyOf<M> & {
  readonly [K in F as `${K}Ciphertext`]: Uint8Array | null;
} & { readonly [K in F & ClearFieldOf<M>]: unknown };

/** Who may open it: what the keyring and the place of a ciphertext need of a call. */
type PersonalCall = {
  readonly scope: Pick<Call['scope'], 'tenantId'>;
  readonly services: Pick<Call['services'], 'keyring'>;
};

function placeOf<M extends Model>(call: PersonalCall, model: M, key: KeyOf<M>, field: string) {
  const values = key as Readonly<Record<string, unknown>>;
  const row = personal[model].key.map((name) => String(values[name])).join('.');
  return { tenantId: call.scope.tenantId, row, field: columnName(field) };
}

/** Encrypts a text for its row. */
export function sealText<M extends Model>(
  call: PersonalCall,
  model: M,
  key: KeyOf<M>,
  field: PersonalFieldOf<M>,
  text: string,
): Buffer {
  return call.services.keyring.encrypt(text, placeOf(call, model, key, field));
}

/** Encrypts a field for its row, an object as JSON; null stays null. */
export function sealPersonal<M extends Model>(
  call: PersonalCall,
  model: M,
  key: KeyOf<M>,
  field: PersonalFieldOf<M>,
  value: string | object | null,
): Buffer | null {
  if (value === null) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return sealText(call, model, key, field, text);
}

/**
 * A field of a row of the scope's tenant as text, encrypted or still in clear; null where there is none. Throws
 * when the ciphertext is not this row's.
 */
export function openPersonal<M extends Model, F extends PersonalFieldOf<M>>(
  call: PersonalCall,
  model: M,
  row: PersonalRow<M, F>,
  field: F,
): string | null {
  const values = row as Readonly<Record<string, unknown>>;
  const sealed = values[`${field}Ciphertext`] as Uint8Array | null;
  if (sealed !== null) {
    return call.services.keyring.decrypt(sealed, placeOf(call, model, row, field));
  }
  const clear = values[field] ?? null;
  return clear === null || typeof clear === 'string' ? clear : JSON.stringify(clear);
}

/** As `openPersonal`, of a field that is stored as JSON. Its commands are its only writers. */
export function openPersonalObject<M extends Model, F extends PersonalFieldOf<M>>(
  call: PersonalCall,
  model: M,
  row: PersonalRow<M, F>,
  field: F,
): object | null {
  const text = openPersonal(call, model, row, field);
  return text === null ? null : (JSON.parse(text) as object);
}
