import type { Pool } from 'pg';

/** A column of the database in whose rows a text was found. */
export type Place = string;

/**
 * The columns of every table in which some row holds `text`, whatever their type and case: JSON as its text,
 * bytes as they are and in hexadecimal digits. `text` is of letters and digits, which no format escapes.
 */
export async function placesOf(pool: Pick<Pool, 'query'>, text: string): Promise<Place[]> {
  const hex = Buffer.from(text).toString('hex');
  const { rows: columns } = await pool.query<{ part: string }>(
    `SELECT format(
       'SELECT %L AS place WHERE EXISTS (SELECT 1 FROM %s r WHERE r.%I::text ILIKE ANY ($1))',
       c.relname || '.' || a.attname, c.oid::regclass, a.attname
     ) AS part
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND n.nspname IN ('public', 'ops', 'graphile_worker')
       AND a.attnum > 0 AND NOT a.attisdropped`,
  );
  const all = columns.map(({ part }) => part).join(' UNION ALL ');
  const { rows } = await pool.query<{ place: Place }>(all, [[`%${text}%`, `%${hex}%`]]);
  return rows.map(({ place }) => place).toSorted();
}
