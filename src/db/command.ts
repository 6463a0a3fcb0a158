import { columnName } from './columns.ts';
import type { CommandStatement, TenantValues } from './pool.ts';
import { tenantSetting } from './tenant.ts';

/** The schema of the functions that are the service's commands. */
export const commandSchema = 'command';

/** A function in the database that is one command, and the prepared statement that calls it. */
export interface Command<Parameter extends string> extends CommandStatement {
  /** The values in the order in which the statement is sent, the tenant first. */
  readonly of: (given: Readonly<Record<Parameter, unknown>>) => TenantValues;
  /** The SQL that makes the function, for `npm run generate`. */
  readonly definition: string;
}

interface Declaration<Parameter extends string> {
  /** Of the function, and of the prepared statement. */
  readonly name: string;
  /** What it does, in a sentence for whoever reads the SQL. */
  readonly comment: string;
  /** Its parameters with their SQL types, the tenant first. `liveAttempt` is `_live_attempt` in the body. */
  readonly parameters: Readonly<Record<Parameter, string>>;
  /** After RETURNS. */
  readonly returns: string;
  /** What a caller selects of `r`, the result. Absent for a function that only other commands call. */
  readonly select?: string;
  /** Declarations of variables. */
  readonly declare?: string;
  /** PL/pgSQL: plain statements on tables with their schema. */
  readonly body: string;
}

/** `_name`, which no table and no column is called; not where a call of another command names its argument. */
const parameterIn = /(?<![\w'".])_[a-z]\w*(?!\w|\s*=>)/g;

/**
 * Declares a command: the function `command.<name>` and the one statement that calls it. The statement is
 * complete without BEGIN and COMMIT and names every argument. A distributed PostgreSQL hands it whole to the
 * tenant's node, which needs a lone function in FROM, the tenant as an argument, and no open transaction.
 *
 * The function runs with the caller's rights. Its body names the schema of each table, so it needs no search
 * path of its own, which PostgreSQL would set and reset at each call. A published function keeps its name,
 * parameters and result for good, since the previous version calls it during a rolling deployment. A change
 * of them is a new function under another name. A migration of a later release drops the old one.
 *
 * @throws Error at load when the body leaves a parameter unused or uses an unknown one
 */
export function command<const Parameter extends string>(
  declaration: Declaration<Parameter>,
): Command<Parameter> {
  const { name, parameters, select = '' } = declaration;
  const names = Object.keys(parameters) as Parameter[];
  checkUse(declaration, names.map(parameterName));
  const given = names.map((key, index) => `${parameterName(key)} => $${index + 1}`);
  return {
    name,
    text: `SELECT ${select} FROM ${commandSchema}.${name}(${given.join(', ')}) AS r`,
    tenant: 'set by itself',
    of: (values) => names.map((key) => values[key]) as unknown as TenantValues,
    definition: definitionOf(declaration),
  };
}

const parameterName = (key: string): string => `_${columnName(key)}`;

function checkUse({ name, body, declare = '' }: Declaration<string>, known: string[]): void {
  const used = new Set(`${declare}\n${body}`.match(parameterIn));
  const wrong = [...new Set(known).symmetricDifference(used)];
  if (wrong.length > 0) throw new Error(`command ${name}: unused or unknown: ${wrong.join(', ')}`);
}

function definitionOf(declaration: Declaration<string>): string {
  const { name, comment, parameters, returns, declare = '', body } = declaration;
  const typed = Object.entries(parameters).map(([key, type]) => `  ${parameterName(key)} ${type}`);
  const variables = [...setsTenant(declaration), declare.trim()].filter((part) => part !== '');
  const declared = variables.length === 0 ? '' : `DECLARE\n  ${variables.join('\n  ')}\n`;
  return `-- ${comment}
CREATE OR REPLACE FUNCTION ${commandSchema}.${name}(
${typed.join(',\n')}
) RETURNS ${returns}
LANGUAGE plpgsql${plansOnce(declaration)} AS $$
#variable_conflict use_column
${declared}BEGIN
  ${body.trim()}
END
$$;
`;
}

/**
 * The statements of a command find rows by their keys, whatever the arguments. Left to itself, PostgreSQL makes a
 * new plan at each call where an argument that is NULL makes a part of the statement needless. And for a table that was
 * empty when the plan was made, it reads all rows without an index each time, however many the same transaction has
 * written since. What a command calls works under its settings.
 */
function plansOnce({ select }: Declaration<string>): string {
  return select === undefined
    ? ''
    : ' SET plan_cache_mode = force_generic_plan SET enable_seqscan = off';
}

/**
 * A command that callers call sets the tenant for the rows that it may see (tenant.ts), in a declaration,
 * which costs less than a statement of the body. One that only others call works for the tenant of those.
 */
function setsTenant({ parameters, select }: Declaration<string>): string[] {
  const [first] = Object.keys(parameters);
  if (select === undefined || first !== 'tenant') return [];
  return [`scoped CONSTANT text := set_config('${tenantSetting}', _tenant, true);`];
}

interface Given {
  /** SQL: an array of JSON, each element a row. */
  readonly json: string;
  /** Its columns with their SQL types. */
  readonly columns: string;
  /** What is added to the columns, each beginning with a comma. */
  readonly more?: string;
  /** Further items of FROM, each beginning with a comma. */
  readonly from?: string;
  /** Which rows count. */
  readonly where?: string;
  /** The order in which the rows of tables are locked. */
  readonly order: string;
}

/**
 * An item of FROM: the rows that a command was given, for a statement that finds the rows of a table by them. The
 * statement says `tenant = _tenant` of these rows beside the table's own tenant. PostgreSQL believes that this comparison
 * leaves one row. So it begins with the given rows and looks up each row of the table by its key. Without it,
 * PostgreSQL would read every row of a tenant that its statistics do not know.
 */
export const givenRows = (alias: string, given: Given): string => `(
    SELECT _tenant AS tenant, g.*${given.more ?? ''}
    FROM jsonb_to_recordset(${given.json}) AS g (${given.columns})${given.from ?? ''}${given.where === undefined ? '' : `\n    WHERE ${given.where}`}
    ORDER BY ${given.order} OFFSET 0
  ) AS ${alias}`;
