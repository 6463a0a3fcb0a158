import { platformStatement, rows, type Queryable } from '../db/pool.ts';

/** A column of a view, or a parameter of a function. */
export interface OpsPart {
  readonly name: string;
  /** As PostgreSQL writes it in a cast. */
  readonly type: string;
  /** Whether a parameter can be left out; true for a column. */
  readonly optional: boolean;
}

/** A view or function of the schema ops that the connected role may use. */
export interface OpsEntry {
  readonly kind: 'view' | 'function';
  readonly name: string;
  readonly description: string;
  readonly parts: readonly OpsPart[];
}

/** Views and functions without a comment are helpers of the others and are not listed. */
const readable = platformStatement({
  name: 'ops_views',
  text: `
    SELECT 'view' AS kind, c.relname::text AS name, obj_description(c.oid, 'pg_class') AS description,
      (SELECT json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, NULL), 'optional', true)
         ORDER BY a.attnum)
       FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS parts
    FROM pg_class c
    WHERE c.relnamespace = to_regnamespace('ops') AND c.relkind IN ('v', 'r')
      AND has_table_privilege(c.oid, 'SELECT') AND obj_description(c.oid, 'pg_class') IS NOT NULL
    UNION ALL
    SELECT 'function', p.proname::text, obj_description(p.oid, 'pg_proc'),
      (SELECT coalesce(json_agg(json_build_object('name', a.name, 'type', format_type(a.type, NULL),
         'optional', a.place > p.pronargs - p.pronargdefaults) ORDER BY a.place), '[]')
       FROM unnest(p.proargtypes::oid[], p.proargnames[1:p.pronargs]) WITH ORDINALITY AS a (type, name, place))
    FROM pg_proc p
    WHERE p.pronamespace = to_regnamespace('ops') AND has_function_privilege(p.oid, 'EXECUTE')
      AND obj_description(p.oid, 'pg_proc') IS NOT NULL`,
});

/** The views and functions that the connected role may use, by name. */
export async function readCatalog(client: Queryable): Promise<ReadonlyMap<string, OpsEntry>> {
  const entries = await rows<OpsEntry & Record<string, unknown>>(client, readable, []);
  const sorted = entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return new Map(sorted.map((entry) => [entry.name, entry]));
}

/** A column or parameter as it is written on the command line. */
export const option = (name: string): string => `--${name.replaceAll('_', '-')}`;

/** A view, or a function with its parameters, on one line. */
function signature({ kind, name, parts }: OpsEntry): string {
  if (kind === 'view') return name;
  const words = parts.map((part) => (part.optional ? `[${option(part.name)}]` : option(part.name)));
  return [name, ...words].join(' ');
}

/** The list of views and functions, with a description of each. */
export function describeAll(catalog: ReadonlyMap<string, OpsEntry>): string {
  const lines = (kind: OpsEntry['kind']): string[] =>
    [...catalog.values()]
      .filter((entry) => entry.kind === kind)
      .map((entry) => `  ${signature(entry)}\n      ${entry.description}`);
  const functions = lines('function');
  return [
    'Usage: npm run ops -- <view> [--<column> <value>] [--limit <n>] [--json | --expanded]',
    '       npm run ops -- <function> [<value> …] [--<parameter> <value>] [--json | --expanded]',
    '       npm run ops -- <name> --help',
    '       npm run ops -- read-bank-file <file> [--json]',
    '       npm run ops -- take-bank-file <connection> <file>',
    '       npm run ops -- check-connection <connection>',
    '       npm run ops -- load-watchlist <kind> <file> [--date <day>] [--accept-fewer <reason>]',
    '',
    'To read:',
    ...lines('view'),
    ...(functions.length === 0 ? [] : ['', 'To ask and to act:', ...functions]),
  ].join('\n');
}

/** The columns of one view, or the parameters of one function. */
export function describe(entry: OpsEntry): string {
  const title = entry.kind === 'view' ? 'Columns:' : 'Parameters, in this order or by name:';
  const width = Math.max(0, ...entry.parts.map(({ name }) => option(name).length));
  const parts = entry.parts.map(({ name, type, optional }) => {
    const note = entry.kind === 'function' && optional ? ', may be left out' : '';
    return `  ${option(name).padEnd(width)}  ${type}${note}`;
  });
  return [signature(entry), `  ${entry.description}`, '', title, ...parts].join('\n');
}
