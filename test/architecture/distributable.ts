import { tablesIn, words } from '../support/matrix/tenant-statements.ts';

/*
 * What a PostgreSQL that is distributed by tenant refuses in a statement, or carries out in pieces. Seen in
 * the text alone, so that a plain PostgreSQL is enough to keep the rules. Citus is the one that is meant:
 * https://docs.citusdata.com/en/stable/develop/reference_workarounds.html
 */

const writes = new Set(['insert', 'update', 'delete']);

/** Position after the bracket or the CASE that opens at `open`. */
function endOf(all: readonly string[], open: number, opening: string, closing: string): number {
  let depth = 0;
  for (let at = open; at < all.length; at += 1) {
    if (all[at] === opening) depth += 1;
    if (all[at] === closing) depth -= 1;
    if (depth === 0) return at + 1;
  }
  return all.length;
}

const isWrite = (all: readonly string[]): boolean =>
  all.some((word, at) => writes.has(word) && all[at - 1] !== 'for' && all[at - 1] !== 'key');

const readsClock = (all: readonly string[]): boolean =>
  all.some((word, at) => word === 'now' && all[at + 1] === '(');

/** Whether a write reads the clock in a branch that it may not take. */
function clockInBranch(all: readonly string[]): boolean {
  return all.some((word, at) => {
    if (word === 'case') return readsClock(all.slice(at, endOf(all, at, 'case', 'end')));
    if (word === 'coalesce') return readsClock(all.slice(at, endOf(all, at + 1, '(', ')')));
    return false;
  });
}

function writeAmongCtes(all: readonly string[]): boolean {
  return all.some((word, at) => {
    const opened = word === '(' && ['as', 'materialized'].includes(all[at - 1] ?? '');
    return opened && writes.has(all[at + 1] ?? '');
  });
}

/** Whether a CTE of several SELECTs names its columns before its AS and not in the first SELECT. */
function namesBeforeUnion(all: readonly string[]): boolean {
  return all.some((word, at) => {
    const opened = word === '(' && all[at - 1] === 'as' && all[at - 2] === ')';
    return opened && all.slice(at, endOf(all, at, '(', ')')).includes('union');
  });
}

function intervalInConflict(all: readonly string[]): boolean {
  const from = all.findIndex((word, at) => word === 'on' && all[at + 1] === 'conflict');
  if (from < 0) return false;
  const rest = all.slice(from);
  return rest.some(
    (word, at) => word === '-' && ['make_interval', 'interval'].includes(rest[at + 1] ?? ''),
  );
}

/** What PostgreSQL counts as dependent on settings, as it does the addition of an interval to a time. */
const stable = new Set(
  'interval make_interval jsonb_agg jsonb_build_object to_jsonb concat concat_ws format to_char'.split(
    ' ',
  ),
);

/** The expressions of the SET of an UPDATE that begins at `set`. */
function assignments(all: readonly string[], set: number): string[][] {
  const found: string[][] = [[]];
  let depth = 0;
  for (const word of all.slice(set + 1)) {
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    if (depth < 0 || (depth === 0 && /^(from|where|returning)$/.test(word))) break;
    if (depth === 0 && word === ',') found.push([]);
    else found.at(-1)?.push(word);
  }
  return found;
}

/** Whether an UPDATE sets what a stable function makes of a column; the time of `(SELECT now()) AS clock` is none. */
function setsStable(all: readonly string[]): boolean {
  return all.some((word, at) => {
    if (word !== 'set' || !all.slice(Math.max(at - 4, 0), at).includes('update')) return false;
    return assignments(all, at).some((part) => {
      const column = part.some(
        (_name, n) => part[n - 1] === '.' && part[n - 2] !== 'clock' && part[n + 1] !== '(',
      );
      return column && part.some((name) => stable.has(name));
    });
  });
}

/** Whether an EXISTS takes the tenant from a row outside of it, in a statement to which the tenant is given. */
function tenantFromOutside(all: readonly string[]): boolean {
  const given = all.some(
    (word, at) =>
      word === 'tenant_id' &&
      all[at + 1] === '=' &&
      ['$', '@', '_tenant'].includes(all[at + 2] ?? ''),
  );
  return (
    given &&
    all.some((word, at) => {
      if (word !== 'exists' || all[at + 1] !== '(') return false;
      const body = all.slice(at + 1, endOf(all, at + 1, '(', ')'));
      const own = new Set(body.filter((_alias, n) => ['from', 'join'].includes(body[n - 2] ?? '')));
      return body.some(
        (name, n) =>
          name === 'tenant_id' &&
          body[n - 1] === '.' &&
          body[n - 2] !== undefined &&
          !own.has(body[n - 2] ?? ''),
      );
    })
  );
}

/** Words of an ON CONFLICT that are no column, parameter or variable. */
const ofConflict = new Set(
  'do update set where and or not is null distinct from case when then else end'.split(' '),
);

/**
 * Whether an INSERT of the rows of a SELECT decides a conflict by a parameter or a variable. Columns have their table
 * before them there, but for those that are set.
 */
function parameterInConflict(all: readonly string[]): boolean {
  const from = all.findIndex((word, at) => word === 'update' && all[at - 1] === 'do');
  const source = all.slice(all.indexOf('insert'), from);
  if (from < 0 || source.includes('values') || !source.includes('select')) return false;
  const rest = all.slice(from);
  const returning = rest.indexOf('returning');
  return rest
    .slice(0, returning < 0 ? rest.length : returning)
    .some(
      (word, at) =>
        word === '$' ||
        (/^[a-z_]/.test(word) &&
          !ofConflict.has(word) &&
          rest[at - 1] !== '.' &&
          !['.', '(', '='].includes(rest[at + 1] ?? '')),
    );
}

const emptyExists = (sql: string): boolean => /\bEXISTS\s*\(\s*SELECT\s+FROM\b/i.test(sql);

const owners = new Set(['ops', 'command', 'graphile_worker']);

/** Functions of ours that have no statement of their own. */
const plain = new Set([
  'clock',
  'bank_batch_by_hand',
  'debit_is_late',
  'is_unrouted',
  'legal_name',
  'first_refusal',
  'name_check_obstacle',
  'integers',
  'is_unfinished',
]);

/** Whether an UPDATE calls a function that may answer otherwise for each row. */
const readsEachRow = (all: readonly string[]): boolean =>
  all.includes('update') &&
  all.some((word, at) => word === 'clock_timestamp' && all[at + 1] === '(');

/** Whether a statement on a tenant's table calls a function that has statements of its own. */
function callsStatements(
  sql: string,
  all: readonly string[],
  tables: ReadonlySet<string>,
): boolean {
  const calls = all.some(
    (word, at) =>
      owners.has(word) &&
      all[at + 1] === '.' &&
      !plain.has(all[at + 2] ?? '') &&
      all[at + 3] === '(',
  );
  return calls && tablesIn(sql, tables).length > 0;
}

/** Each rule with what it finds in one statement. */
export const rules = {
  'no INSERT, UPDATE or DELETE among CTEs': (_sql, all) => writeAmongCtes(all),
  'no names of columns before the AS of a CTE of several SELECTs': (_sql, all) =>
    namesBeforeUnion(all),
  'no now() inside CASE or COALESCE of a write': (_sql, all) => isWrite(all) && clockInBranch(all),
  'command.clock() instead of clock_timestamp() in an UPDATE': (_sql, all) => readsEachRow(all),
  'no stable function of a column in the SET of an UPDATE': (_sql, all) => setsStable(all),
  'the tenant by its parameter in EXISTS': (_sql, all) => tenantFromOutside(all),
  'no time minus interval in ON CONFLICT': (_sql, all) => intervalInConflict(all),
  'no parameter in the ON CONFLICT of an INSERT of many rows': (_sql, all) =>
    parameterInConflict(all),
  'SELECT 1 in EXISTS': emptyExists,
  'no function with statements of its own in a statement on a tenant’s table': callsStatements,
} as const satisfies Readonly<
  Record<string, (sql: string, all: readonly string[], tables: ReadonlySet<string>) => boolean>
>;

export type Rule = keyof typeof rules;

const ruleNames = Object.keys(rules) as Rule[];

/** The rules that a statement breaks. `tables` are those of tenants. */
export function brokenRules(sql: string, tables: ReadonlySet<string>): Rule[] {
  const all = words(sql);
  return ruleNames.filter((name) => rules[name](sql, all, tables));
}

/** The statements in the definition of a PL/pgSQL function, without what decides whether they run. */
export function statementsOf(definition: string): string[] {
  const body = definition.slice(definition.indexOf('\nBEGIN'), definition.lastIndexOf('\nEND'));
  return body
    .replace(/--[^\n]*/g, ' ')
    .split(/;|\bLOOP\b/)
    .map((part) => part.replace(/\bINTO [a-z_]+(?:, [a-z_]+)*(?=\s+FROM\b|\s*$)/, ''))
    .map((part) =>
      part.replace(/^[\s\S]*?\b(?=WITH|SELECT|INSERT|UPDATE|DELETE|RETURN|:=)/, '').trim(),
    )
    .filter((part) => part !== '');
}
