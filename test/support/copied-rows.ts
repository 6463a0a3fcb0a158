type Sql = <T>(text: string, values?: unknown[]) => Promise<T[]>;

interface Copied {
  readonly table: string;
  /** The column that names a row, and the value of the row that is copied. */
  readonly key: string;
  readonly of: string;
  /** Its values in the copies. */
  readonly ids: readonly string[];
  /** SQL: names and values of other columns that differ, by `x.id`, each beginning with a comma. */
  readonly also?: string;
}

/** The statement that copies a row of a table many times. */
export async function copying(sql: Sql, { table, key, of, ids, also = '' }: Copied) {
  const found = await sql<{ name: string }>(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND table_name = $1 AND is_generated = 'NEVER'`,
    [table],
  );
  const columns = found.map(({ name }) => name);
  return `INSERT INTO ${table} (${columns.join(', ')})
    SELECT ${columns.map((name) => `c.${name}`).join(', ')} FROM ${table} o, unnest('{${ids.join(',')}}'::text[]) AS x (id),
      jsonb_populate_record(o, jsonb_build_object('${key}', x.id ${also})) c
    WHERE o.${key} = '${of}'`;
}
