import type { QueryResultRow } from 'pg';
import { columnName } from './columns.ts';
import { rows, type CommandStatement, type Queryable, type TenantValues } from './pool.ts';

/** The schema of the functions that are the service's commands. */
export const commandSchema = 'command';

/**
 * A function in the database that is one command, as it is called: on a connection or a pool, for a tenant, with its
 * other parameters by name. It resolves with the rows that the function returns.
 */
export interface Command<Given, Row> {
  (client: Queryable, tenant: string, given: Given): Promise<Row[]>;
  readonly statement: CommandStatement;
  /** The values of the statement, in order. */
  readonly values: (tenant: string, given: Given) => TenantValues;
}

/** The fields of a table's row: the `…ScalarFieldEnum` of its model. */
type Fields = Readonly<Record<string, string>>;

/** The rows of a table, or the fields of a result; one of them may be a row of a table itself. */
type Result = Fields | Parts;
type Parts = readonly (string | readonly [string, Fields])[];

/**
 * The caller of `command.<name>`; `commands.gen.ts` of a folder has those of the SQL files in it. Its statement is complete
 * without BEGIN and COMMIT and names every argument. A distributed PostgreSQL hands it whole to the tenant's node, which
 * needs a lone function in FROM, the tenant as an argument, and no open transaction.
 *
 * A function runs with the caller's rights. Its body names the schema of each table, so it needs no search path of its
 * own, which PostgreSQL would set and reset at each call. It sets the tenant for the rows that it may see (tenant.ts), in a
 * declaration, which costs less than a statement of the body; one that only others call works for the tenant of those.
 *
 * Its statements find rows by their keys, whatever the arguments. Left to itself, PostgreSQL makes a new plan at each call
 * where an argument that is NULL makes a part of the statement needless. And for a table that was empty when the plan was
 * made, it reads all rows without an index each time, however many the same transaction has written since. Hence
 * `plan_cache_mode` and `enable_seqscan`; what a command calls works under its settings. Where a statement finds rows by those
 * that the command was given, it says `tenant = _tenant` of both. PostgreSQL believes that this leaves one of the given
 * rows, so it begins with them and looks up each row of the table by its key. Without it, PostgreSQL would read every row
 * of a tenant that its statistics do not know.
 *
 * A published function keeps its name, parameters and result for good, since the previous version calls it during a
 * rolling deployment. A change of them is a new function under another name. A migration of a later release drops the old
 * one.
 *
 * @param parameters the parameters beside the tenant with their SQL types; `liveAttempt` is `_live_attempt` in the function
 */
export function command<Given extends object, Row extends QueryResultRow>(
  name: string,
  parameters: Readonly<Record<keyof Given & string, string>>,
  result: Result,
): Command<Given, Row> {
  const given = Object.entries(parameters) as [keyof Given & string, string][];
  const named = ['tenant', ...given.map(([key]) => key)].map(
    (key, index) => `_${columnName(key)} => $${index + 1}`,
  );
  const text = `SELECT ${selectOf(result)} FROM ${commandSchema}.${name}(${named.join(', ')}) AS r`;
  const statement: CommandStatement = { name, text, tenant: 'set by itself' };
  const values: Command<Given, Row>['values'] = (tenant, all) => [
    tenant,
    ...given.map(([key, type]) => (type === 'jsonb' ? jsonOf(all[key]) : all[key])),
  ];
  const rowOf = nesting(result);
  return Object.assign(
    async (client: Queryable, tenant: string, all: Given) => {
      const found = await rows<QueryResultRow>(client, statement, values(tenant, all));
      return found.map(rowOf) as Row[];
    },
    { statement, values },
  );
}

const jsonOf = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

const inner = (part: string, field: string): string => `${part}.${field}`;

const partsOf = (result: Result): Parts =>
  Array.isArray(result) ? (result as Parts) : Object.values(result as Fields);

function selectOf(result: Result): string {
  const selected = partsOf(result).flatMap((part) => {
    if (typeof part === 'string') return `r.${columnName(part)} AS "${part}"`;
    const [name, fields] = part;
    return Object.values(fields).map(
      (field) => `(r.${columnName(name)}).${columnName(field)} AS "${inner(name, field)}"`,
    );
  });
  return selected.join(', ');
}

/** Puts the columns of a row within a row into an object of its own; null where the function gave none. */
function nesting(result: Result): (row: QueryResultRow) => QueryResultRow {
  const parts = partsOf(result);
  if (parts.every((part) => typeof part === 'string')) return (row) => row;
  const read = (row: QueryResultRow, part: (typeof parts)[number]): [string, unknown] => {
    if (typeof part === 'string') return [part, row[part]];
    const [name, fields] = part;
    if (row[inner(name, 'id')] === null) return [name, null];
    const own = Object.values(fields).map((field): [string, unknown] => [
      field,
      row[inner(name, field)],
    ]);
    return [name, Object.fromEntries(own)];
  };
  return (row) => Object.fromEntries(parts.map((part) => read(row, part)));
}
