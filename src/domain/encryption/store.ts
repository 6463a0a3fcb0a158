import type { CiphertextOwner } from '../../crypto/keyring.ts';
import { acrossSchema } from '../../db/across.ts';
import {
  firstRow,
  noAnswerLimitMs,
  platformStatement,
  rows,
  type PlatformStatement,
  type Queryable,
  type Statement,
} from '../../db/pool.ts';
import { encryptedColumns, inClearSql, type EncryptedColumn } from './columns.ts';

/** A stored value and its row: encrypted, or in clear in a row that is not carried over yet. */
export interface StoredValue {
  /** Empty for a row of the platform. */
  readonly tenantId: string;
  /** Values of the primary key after `tenant_id`. */
  readonly key: readonly string[];
  readonly ciphertext: Buffer | null;
  readonly clear: string | null;
  /** Whether it has the hash by which it is found; true where there is none to have. */
  readonly hashed: boolean;
}

/** The place that a stored ciphertext is bound to. */
export function placeOf(column: EncryptedColumn, { tenantId, key }: StoredValue): CiphertextOwner {
  return { tenantId, row: key.join('.'), field: column.field };
}

/** A column in the name of a statement, of which PostgreSQL keeps 63 characters. */
function shortName({ table, field }: EncryptedColumn): string {
  return `${table}.${field}`;
}

function tenantSql({ tenant }: EncryptedColumn, alias: string): string {
  return tenant === null ? "''::text" : `${alias}.${tenant}`;
}

/** Where the rows of all tenants are read; a table of the platform has no wall. */
function acrossOf({ table, tenant }: EncryptedColumn): string {
  return tenant === null ? table : `${acrossSchema}.${table}`;
}

function clearSql({ clear }: EncryptedColumn, alias: string): string {
  return clear === null ? 'NULL::text' : `${alias}.${clear.column}::text`;
}

function names({ key }: EncryptedColumn, alias: string): string {
  return key.map(({ name }) => `${alias}.${name}`).join(', ');
}

/**
 * A page of rows by primary key, including rows that are done: each page costs the same, however far the walk
 * is. A rotation reads all tenants, so the statement names none.
 */
function pageStatement(column: EncryptedColumn): PlatformStatement {
  const position = column.key.map(({ type }, index) => `$${index + 2}::${type}`);
  const texts = column.key.map(({ name }) => `t.${name}::text`);
  return platformStatement({
    name: `rotation_page_${shortName(column)}`,
    text: `
      SELECT ${tenantSql(column, 't')} AS "tenantId", ARRAY[${texts.join(', ')}] AS key,
        t.${column.column} AS ciphertext, ${clearSql(column, 't')} AS clear,
        ${column.hash === null ? 'true' : `t.${column.hash.column} IS NOT NULL`} AS hashed
      FROM ${acrossOf(column)} t
      WHERE (${tenantSql(column, 't')}, ${names(column, 't')}) > ($1, ${position.join(', ')})
      ORDER BY ${tenantSql(column, 't')}, ${names(column, 't')}
      LIMIT $${column.key.length + 2}`,
  });
}

/** Rows after a position (tenant, then the key's values), in the order of the primary key. */
export function readPage(
  client: Queryable,
  column: EncryptedColumn,
  after: readonly string[],
  limit: number,
): Promise<StoredValue[]> {
  return rows<StoredValue>(client, pageStatement(column), [...after, limit]);
}

/** A stored value and the ciphertext that replaces it. */
export interface Replacement {
  readonly value: StoredValue;
  readonly becomes: Buffer;
  /** By which the value is found; null where it is not. */
  readonly hash: Buffer | null;
}

/** What a replacement writes. The clear columns are emptied by the statement that fills the ciphertext. */
function assignments({ column, clear, hash }: EncryptedColumn): string {
  const emptied = [clear?.column, clear?.compared].filter((name) => typeof name === 'string');
  return [
    `${column} = g.becomes`,
    ...emptied.map((name) => `${name} = NULL`),
    ...(hash === null ? [] : [`${hash.column} = g.hash`]),
  ].join(', ');
}

/**
 * Whether a row may have the hash of its value. Two rows in clear with one value, which only processes of an
 * older release can write beside this one, would stop the walk at the unique index.
 */
function mayBeFound({ table, key, hash }: EncryptedColumn): string {
  if (hash === null) return 'true';
  const other = key.map(({ name }) => `x.${name} <> t.${name}`).join(' OR ');
  return `(NOT (t.${hash.uniqueWhere}) OR NOT EXISTS (
          SELECT 1 FROM ${table} x
          WHERE x.tenant_id = $1 AND x.${hash.column} = g.hash AND x.${hash.uniqueWhere} AND (${other})
        ))`;
}

/**
 * Compare-and-set: a row takes the new ciphertext only if it still holds what was read, so a concurrent writer
 * wins. A locked row is skipped, since waiting for it while holding others could deadlock with a writer.
 * `updated_at` and `revision` stay, because nothing has changed that anybody can see.
 */
function replaceStatement(column: EncryptedColumn): Statement {
  const arrays = column.key.map(({ type }, index) => `$${index + 2}::${type}[]`);
  const next = column.key.length + 2;
  const keyNames = column.key.map(({ name }) => name).join(', ');
  const sameRow = column.key.map(({ name }) => `t.${name} = g.${name}`).join(' AND ');
  const holds = `${tenantSql(column, 't')} = $1 AND t.${column.column} IS NOT DISTINCT FROM g.was
          AND ${clearSql(column, 't')} IS NOT DISTINCT FROM g.was_clear`;
  return {
    name: `rotation_replace_${shortName(column)}`,
    text: `
      WITH given AS (
        SELECT * FROM unnest(
          ${arrays.join(', ')}, $${next}::bytea[], $${next + 1}::text[], $${next + 2}::bytea[], $${next + 3}::bytea[]
        ) AS g(${keyNames}, was, was_clear, becomes, hash)
      ),
      free AS (
        SELECT ${names(column, 't')} FROM ${column.table} t JOIN given g ON ${sameRow}
        WHERE ${holds} AND ${mayBeFound(column)}
        FOR NO KEY UPDATE OF t SKIP LOCKED
      )
      UPDATE ${column.table} t SET ${assignments(column)}
      FROM given g JOIN free USING (${keyNames})
      WHERE ${sameRow} AND ${holds}
      RETURNING true AS replaced`,
  };
}

/** Replaces values of one tenant; returns how many rows still held what was read. */
export async function replaceCiphertexts(
  client: Queryable,
  column: EncryptedColumn,
  tenantId: string,
  replacements: readonly Replacement[],
): Promise<number> {
  const replaced = await rows(client, replaceStatement(column), [
    tenantId,
    ...column.key.map((_, index) => replacements.map(({ value }) => value.key[index])),
    replacements.map(({ value }) => value.ciphertext),
    replacements.map(({ value }) => value.clear),
    replacements.map(({ becomes }) => becomes),
    replacements.map(({ hash }) => hash),
  ]);
  return replaced.length;
}

/** The conditions of `inClearSql` by table, as the partial indexes of the tables have them. */
const inClearByTable = Map.groupBy(
  encryptedColumns.filter((column) => inClearSql(column, 't') !== null),
  ({ table }) => table,
);

const anyInClear = platformStatement({
  name: 'rotation_any_in_clear',
  text: `SELECT ${Array.from(inClearByTable, ([table, columns]) => {
    const conditions = columns.map((column) => inClearSql(column, 't')).join(' OR ');
    return `EXISTS (SELECT 1 FROM ${acrossSchema}.${table} t WHERE ${conditions})`;
  }).join(' OR ')} AS found`,
});

/** Whether a row holds a value in clear, or one whose hash is missing; a look into empty indexes once all is done. */
export async function hasClearValues(client: Queryable): Promise<boolean> {
  const answer = await firstRow<{ found: boolean }>(client, anyInClear, []);
  return answer?.found === true;
}

/** How many rows hold a column's value in clear, or without its hash; null where there can be none. */
export async function countInClear(
  client: Queryable,
  column: EncryptedColumn,
): Promise<number | null> {
  const condition = inClearSql(column, 't');
  if (condition === null) return null;
  const statement = platformStatement({
    name: `rotation_count_clear_${shortName(column)}`,
    text: `SELECT count(*)::integer AS count FROM ${acrossOf(column)} t WHERE ${condition}`,
    query_timeout: noAnswerLimitMs,
  });
  return (await firstRow<{ count: number }>(client, statement, []))?.count ?? 0;
}

/**
 * The id of a ciphertext's key: the second byte of its header is the length of the id, and the id follows. It is the
 * expression of an index on each column, whose migration says it in the same words.
 */
function keyIdSql({ column }: EncryptedColumn, alias: string): string {
  const stored = `${alias}.${column}`;
  return `substring(${stored} FROM 3 FOR get_byte(substring(${stored} FROM 1 FOR 2) || '\\x0000', 1))`;
}

/** A stored value with the id of its key. */
export interface KeyedValue extends StoredValue {
  /** `EncryptedColumn.name`. */
  readonly column: string;
  readonly keyId: string;
}

/** So many values of a column are read under each key. One that was damaged proves nothing about the key. */
const samples = 5;

/** The first values of a column whose key's id is greater than the one in the column's place in $1. */
function nextKeySql(column: EncryptedColumn, index: number): string {
  const texts = column.key.map(({ name }) => `t.${name}::text`);
  return `(
    SELECT '${column.name}' AS "column", encode(${keyIdSql(column, 't')}, 'escape') AS "keyId",
      ${tenantSql(column, 't')} AS "tenantId", ARRAY[${texts.join(', ')}] AS key, t.${column.column} AS ciphertext,
      NULL::text AS clear, true AS hashed
    FROM ${acrossOf(column)} t
    WHERE t.${column.column} IS NOT NULL AND ${keyIdSql(column, 't')} > ($1::bytea[])[${index + 1}]
    ORDER BY ${keyIdSql(column, 't')} LIMIT ${samples}
  )`;
}

const nextKeysStatement = platformStatement({
  name: 'encryption_next_keys',
  text: `SELECT n.* FROM (${encryptedColumns.map(nextKeySql).join(' UNION ALL ')}) n`,
});

/**
 * Some values of each column under each key that it has values under. Each look is a search in the index of a
 * column, and there is one more than there are keys.
 */
export async function sampleEachKey(client: Queryable): Promise<KeyedValue[]> {
  const found: KeyedValue[] = [];
  const after = encryptedColumns.map(() => '');
  for (;;) {
    const values = [after.map((id) => Buffer.from(id, 'latin1'))];
    const next = await rows<KeyedValue & Record<string, unknown>>(
      client,
      nextKeysStatement,
      values,
    );
    if (next.length === 0) return found;
    found.push(...next);
    for (const { column, keyId } of next) {
      const index = encryptedColumns.findIndex(({ name }) => name === column);
      if (keyId > (after[index] ?? '')) after[index] = keyId;
    }
  }
}

function countStatement(encrypted: EncryptedColumn): PlatformStatement {
  const { column } = encrypted;
  return platformStatement({
    name: `rotation_count_${shortName(encrypted)}`,
    text: `
      SELECT encode(${keyIdSql(encrypted, 't')}, 'escape') AS "keyId",
        count(*)::integer AS ciphertexts
      FROM ${acrossOf(encrypted)} t WHERE t.${column} IS NOT NULL GROUP BY 1 ORDER BY 1`,
    query_timeout: noAnswerLimitMs,
  });
}

/** How many ciphertexts of a column are under each key. Reads the whole table, so it is for operators. */
export function countByKey(
  client: Queryable,
  column: EncryptedColumn,
): Promise<{ readonly keyId: string; readonly ciphertexts: number }[]> {
  return rows(client, countStatement(column), []);
}
