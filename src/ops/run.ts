import type { CustomTypesConfig, Pool } from 'pg';
import type { Arguments } from './arguments.ts';
import { describe, describeAll, readCatalog } from './catalog.ts';
import { toQuery, UsageError, type Query } from './statement.ts';
import { toText } from './table.ts';

/** Leaves every value as PostgreSQL writes it. */
const asText: CustomTypesConfig = { getTypeParser: () => (value: string) => value };

/** Object ids of PostgreSQL's numbers: bigint, smallint, integer, oid, real, double precision, numeric. */
const numbers = new Set([20, 21, 23, 26, 700, 701, 1700]);

export interface Output {
  readonly text: string;
  /** For standard error: a remark about the text, or null. */
  readonly note: string | null;
}

function noteOf(rows: readonly unknown[], limit: number | null): string | null {
  const more = limit !== null && rows.length > limit;
  return more ? `There are more; --limit ${limit * 10} shows more.` : null;
}

async function askJson(pool: Pool, { text, values, limit }: Query): Promise<Output> {
  const { rows } = await pool.query<{ row: string }>({
    text: `SELECT row_to_json(r)::text AS row FROM (${text}) r`,
    values: [...values],
    types: asText,
  });
  const shown = rows.slice(0, limit ?? rows.length).map(({ row }) => row);
  return { text: `[${shown.join(',\n')}]`, note: noteOf(rows, limit) };
}

async function askText(
  pool: Pool,
  query: Query,
  expanded: boolean,
  width: number | null,
): Promise<Output> {
  const { text, values, limit } = query;
  const { fields, rows } = await pool.query<(string | null)[]>({
    text,
    values: [...values],
    rowMode: 'array',
    types: asText,
  });
  const columns = fields.map(({ name, dataTypeID }) => ({
    name,
    numeric: numbers.has(dataTypeID),
  }));
  const shown = rows.slice(0, limit ?? rows.length);
  return { text: toText({ columns, rows: shown }, expanded, width), note: noteOf(rows, limit) };
}

/**
 * Runs one command. With `--json` the rows are a JSON array.
 *
 * @param width of the terminal in characters, or null where there is none
 * @throws UsageError if there is no such view or function, and the errors of PostgreSQL
 */
export async function runOps(pool: Pool, given: Arguments, width: number | null): Promise<Output> {
  const catalog = await readCatalog(pool);
  if (catalog.size === 0) {
    throw new UsageError(
      'this login has no rights in the schema ops: it needs the role ops_read or ops_operate',
    );
  }
  if (given.name === null) return { text: describeAll(catalog), note: null };
  const entry = catalog.get(given.name);
  if (entry === undefined) {
    throw new UsageError(
      `There is no view or function ${given.name} that this login may use. \`npm run ops\` lists them; OPS_DATABASE_URL names another login.`,
    );
  }
  if (given.help) return { text: describe(entry), note: null };
  const query = toQuery(entry, given);
  if (given.format !== 'json') return askText(pool, query, given.format === 'expanded', width);
  return askJson(pool, query);
}
