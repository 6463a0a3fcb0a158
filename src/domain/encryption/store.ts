import type { Place } from '../../crypto/keyring.ts';
import { noAnswerLimitMs, rows, type Queryable, type Statement } from '../../db/pool.ts';
import type { EncryptedColumn } from './columns.ts';

/** A ciphertext where it lies. */
export interface SealedValue {
  readonly tenantId: string;
  /** Values of the primary key after `tenant_id`. */
  readonly key: readonly string[];
  readonly ciphertext: Buffer | null;
}

/** What a stored ciphertext is bound to: the same place as where it was made. */
export function placeOf(column: EncryptedColumn, { tenantId, key }: SealedValue): Place {
  return { tenantId, row: key.join('.'), field: column.field };
}

function names({ key }: EncryptedColumn, alias: string): string {
  return key.map(({ name }) => `${alias}.${name}`).join(', ');
}

/**
 * A page of rows by primary key, whether or not they are due: it costs the same at any depth and
 * however many are done. It is the service's own look at all tenants, so it names none.
 */
function pageStatement(column: EncryptedColumn): Statement {
  const position = column.key.map(({ type }, index) => `$${index + 2}::${type}`);
  const texts = column.key.map(({ name }) => `t.${name}::text`);
  return {
    name: `rotation_page_${column.name}`,
    text: `
      SELECT t.tenant_id AS "tenantId", ARRAY[${texts.join(', ')}] AS key,
        t.${column.column} AS ciphertext
      FROM ${column.table} t
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

/** A ciphertext and the one that is to stand in its place. */
export interface Replacement {
  readonly value: SealedValue;
  readonly becomes: Buffer;
}

/**
 * Compare-and-set: only a row that still holds the old ciphertext takes the new one, so whoever
 * wrote meanwhile wins. A locked row is skipped, not waited for: who waits for one row while holding
 * others can meet a writer that does the same the other way round. Nothing that anybody sees has
 * changed, so `updated_at` and `revision` stay.
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

/** The header of a ciphertext has the id of its key: its length in the second byte, then the id. */
function countStatement({ name, table, column }: EncryptedColumn): Statement {
  return {
    name: `rotation_count_${name}`,
    text: `
      SELECT encode(substring(t.${column} FROM 3 FOR get_byte(t.${column}, 1)), 'escape') AS "keyId",
        count(*)::integer AS ciphertexts
      FROM ${table} t WHERE t.${column} IS NOT NULL GROUP BY 1 ORDER BY 1`,
    query_timeout: noAnswerLimitMs,
  };
}

/** How many ciphertexts of a column each key has. It reads the whole table: for operators. */
export function countByKey(
  client: Queryable,
  column: EncryptedColumn,
): Promise<{ readonly keyId: string; readonly ciphertexts: number }[]> {
  return rows(client, countStatement(column), []);
}
