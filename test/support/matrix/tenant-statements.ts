import type { SentStatement } from './record-sql.ts';

interface Queryable<Row> {
  query(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

/** Tables whose primary key begins with tenant_id, as the database itself says. */
export async function tenantTables(database: Queryable<{ name: string }>): Promise<Set<string>> {
  const { rows } = await database.query(`
    SELECT k.table_name AS name
    FROM information_schema.table_constraints c
    JOIN information_schema.key_column_usage k USING (constraint_schema, constraint_name, table_name)
    WHERE c.constraint_type = 'PRIMARY KEY' AND c.table_schema = 'public'
      AND k.ordinal_position = 1 AND k.column_name = 'tenant_id'`);
  return new Set(rows.map(({ name }) => name));
}

/** Every id of a tenant in these tables, and its own. */
export async function tenantIds(
  database: Queryable<{ name: string }>,
  tables: Iterable<string>,
  tenantId: string,
): Promise<string[]> {
  const withId = await database.query(
    `SELECT table_name AS name FROM information_schema.columns
     WHERE table_schema = 'public' AND column_name = 'id' AND table_name = ANY ($1)`,
    [[...tables]],
  );
  const selects = withId.rows.map(
    ({ name }) => `SELECT id::text AS name FROM ${name} WHERE tenant_id = $1`,
  );
  const { rows } = await database.query(selects.join(' UNION ALL '), [tenantId]);
  return [tenantId, ...rows.map(({ name }) => name).filter((id) => id.length >= 16)];
}

/** Lower case, without comments, the contents of strings, and the quotes of identifiers. */
export function words(sql: string): string[] {
  const bare = sql
    .replace(/--[^\n]*/g, ' ')
    .replace(/\/\*.*?\*\//gs, ' ')
    .replace(/'(?:[^']|'')*'/g, "''")
    .replaceAll('"', '')
    .replaceAll('public.', '')
    .toLowerCase();
  return bare.match(/[a-z_][a-z0-9_$]*|[^\sa-z0-9_]/g) ?? [];
}

const beforeTable = new Set(['from', 'join', 'update', 'into', 'using', 'only', 'copy']);

/**
 * The tables of `known` that a statement reads or writes, one entry for each place: after FROM, JOIN,
 * UPDATE, INTO, USING, and after the commas of a FROM list.
 */
export function tablesIn(sql: string, known: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const all = words(sql);
  let inList = false;
  for (const [index, word] of all.entries()) {
    const previous = all[index - 1] ?? '';
    const named = beforeTable.has(previous) || (inList && previous === ',');
    if (previous === 'from' || previous === 'using') inList = true;
    else if (/^(where|select|set|on|returning|order|group|limit|\(|\))$/.test(word)) inList = false;
    if (named && known.has(word)) found.push(word);
  }
  return found;
}

/** Position of the word after the bracket that closes the one at `open`. */
function afterBracket(all: readonly string[], open: number): number {
  let depth = 0;
  for (let at = open; at < all.length; at += 1) {
    if (all[at] === '(') depth += 1;
    if (all[at] === ')') depth -= 1;
    if (depth === 0) return at + 1;
  }
  return all.length;
}

const comparisons = new Set(['=', 'in', 'is']);

/**
 * How often a statement binds a table to a tenant: compares tenant_id, alone or in a row of columns,
 * joins by it, or writes it. A tenant_id that is only selected, sorted by or returned binds nothing.
 */
export function tenantBindings(sql: string): number {
  const all = words(sql);
  let bindings = 0;
  for (const [index, word] of all.entries()) {
    if (word === 'tenant_id') {
      const start = all[index - 1] === '.' ? index - 2 : index;
      const compared = comparisons.has(all[index + 1] ?? '');
      const comparand = all[start - 1] === '=' && all[start - 2] !== 'tenant_id';
      if (compared || comparand) bindings += 1;
    }
    if (word !== '(') continue;
    const end = afterBracket(all, index);
    const inside = all.slice(index + 1, end - 1);
    const names = !inside.includes('(') && inside.includes('tenant_id');
    const isRow = names && comparisons.has(all[end] ?? '');
    const isJoin = names && all[index - 1] === 'using';
    const isWritten = names && ['into', 'copy'].includes(all[index - 2] ?? '');
    const isAliased = names && all[index - 2] === 'as' && all[index - 4] === 'into';
    if (isRow || isJoin || isWritten || isAliased) bindings += 1;
  }
  return bindings;
}

/**
 * The statements that touch a tenant table and do not bind it to a tenant, as messages. What looks across
 * tenants reads the views of the schema `across` instead, which are no tenant tables. Each place
 * needs a binding: n tables that are joined by n - 1 comparisons need one more to a value.
 */
export function withoutTenant(
  statements: Iterable<SentStatement>,
  known: ReadonlySet<string>,
): string[] {
  const problems: string[] = [];
  for (const { name, text } of statements) {
    const tables = tablesIn(text, known);
    if (tables.length === 0) continue;
    const bindings = tenantBindings(text);
    if (bindings >= tables.length) continue;
    problems.push(
      `${name ?? 'a statement without a name'} touches ${tables.join(', ')} and binds ${bindings} of them to a tenant: ${text}`,
    );
  }
  return problems;
}
