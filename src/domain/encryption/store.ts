import type { Place } from '../../crypto/keyring.ts';
import { noAnswerLimitMs, rows, type Queryable, type Statement } from '../../db/pool.ts';
import type { EncryptedColumn } from './columns.ts';

/** A ciphertext and its row. */
export interface SealedValue {
  readonly tenantId: string;
  /** Values of the primary key after `tenant_id`. */
  readonly key: readonly string[];
  readonly ciphertext: Buffer | null;
}

/** The place that a stored ciphertext is bound to. */
export function placeOf(column: EncryptedColumn, { tenantId, key }: SealedValue): Place {
  return { tenantId, row: key.join('.'), field: column.field };
}

function names({ key }: EncryptedColumn, alias: string): string {
  return key.map(({ name }) => `${alias}.${name}`).join(', ');
}

/**
 * A page of rows by primary key, including rows that are done: each page costs the same, however far the walk
 * is. A rotation reads all tenants, so the statement names none.
 */
function pageStatement(column: EncryptedColumn): Statement {
  const position = column.key.map(({ type }, index) => `$${index + 2}::${type}`);
  const texts = column.key.map(({ name }) => `t.${name}::text`);
  return {
    name: `rotation_page_${column.name}`,
    text: `
      SELECT t.tenant_id AS "tenantId", ARRAY[${texts.join(', ')}] AS key,
        t.${column.column} AS ciphertext
      FROM across.${column.table} t
      WHERE (t.tenant_id, ${names(column, 't')}) > ($1, ${position.join(', ')})
      ORDER BY t.tenant_id, ${names(column, 't')}
      LIMIT $${column.key.length + 2}`,
  };
}

/** Rows after a position (tenant, then the key's values), in the order of the primary key. */
export function readPage(
  client: Queryable,
  column: EncryptedColumn,
  after: readonly string[],
  limit: number,
): Promise<SealedValue[]> {
  return rows<SealedValue>(client, pageStatement(column), [...after, limit]);
}

/** A ciphertext and the one that replaces it. */
export interface Replacement {
  readonly value: SealedValue;
  readonly becomes: Buffer;
}

/**
 * Compare-and-set: a row takes the new ciphertext only if it still holds the old one, so a concurrent writer
 * wins. A locked row is skipped, since waiting for it while holding others could deadlock with a writer.
 * `updated_at` and `revision` stay, because nothing has changed that anybody can see.
 */
function replaceStatement(column: EncryptedColumn): Statement {
  const arrays = column.key.map(({ type }, index) => `$${index + 2}::${type}[]`);
  const next = column.key.length + 2;
  const keyNames = column.key.map(({ name }) => name).join(', ');
  const sameRow = column.key.map(({ name }) => `t.${name} = g.${name}`).join(' AND ');
  return {
    name: `rotation_replace_${column.name}`,
    text: `
      WITH given AS (
        SELECT * FROM unnest(${arrays.join(', ')}, $${next}::bytea[], $${next + 1}::bytea[])
          AS g(${keyNames}, was, becomes)
      ),
      free AS (
        SELECT ${names(column, 't')} FROM ${column.table} t JOIN given g ON ${sameRow}
        WHERE t.tenant_id = $1 AND t.${column.column} = g.was
        FOR NO KEY UPDATE OF t SKIP LOCKED
      )
      UPDATE ${column.table} t SET ${column.column} = g.becomes
      FROM given g JOIN free USING (${keyNames})
      WHERE t.tenant_id = $1 AND ${sameRow} AND t.${column.column} = g.was
      RETURNING true AS replaced`,
  };
}

/** Replaces ciphertexts of one tenant; returns how many rows still held the old one. */
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
    replacements.map(({ becomes }) => becomes),
  ]);
  return replaced.length;
}

/** The header of a ciphertext names its key: the second byte is the length of the id, and the id follows. */
function countStatement({ name, table, column }: EncryptedColumn): Statement {
  return {
    name: `rotation_count_${name}`,
    text: `
      SELECT encode(substring(t.${column} FROM 3 FOR get_byte(t.${column}, 1)), 'escape') AS "keyId",
        count(*)::integer AS ciphertexts
      FROM across.${table} t WHERE t.${column} IS NOT NULL GROUP BY 1 ORDER BY 1`,
    query_timeout: noAnswerLimitMs,
  };
}

/** How many ciphertexts of a column are under each key. Reads the whole table, so it is for operators. */
export function countByKey(
  client: Queryable,
  column: EncryptedColumn,
): Promise<{ readonly keyId: string; readonly ciphertexts: number }[]> {
  return rows(client, countStatement(column), []);
}
