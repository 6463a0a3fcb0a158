import type { Pool } from 'pg';

/** A column of the database in whose rows a text was found. */
export type Place = string;

/**
 * The columns of every table in which some row holds `text`, whatever their type and case: JSON as its text,
 * bytes as they are and in hexadecimal digits. `text` is of letters and digits, which no format escapes.
 */
export async function placesOf(pool: Pool, text: string): Promise<Place[]> {
  const hex = Buffer.from(text).toString('hex');
  const { rows: columns } = await pool.query<{ place: string; relation: string; name: string }>(
    `SELECT format('%s.%s', c.relname, a.attname) AS place, c.oid::regclass::text AS relation,
       quote_ident(a.attname) AS name
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind IN ('r', 'p') AND n.nspname IN ('public', 'ops', 'graphile_worker')
       AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY 1`,
  );
  const found: Place[] = [];
  for (const { place, relation, name } of columns) {
    const { rowCount } = await pool.query(
      `SELECT 1 FROM ${relation} r WHERE r.${name}::text ILIKE ANY ($1) LIMIT 1`,
      [[`%${text}%`, `%${hex}%`]],
    );
    if (rowCount !== 0) found.push(place);
  }
  return found;
}
