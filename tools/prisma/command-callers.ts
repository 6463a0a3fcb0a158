import { globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import type { ClientBase } from 'pg';
import type { GeneratedText } from '../docs/generated.ts';

/** A parameter of a function, or a column of its result. */
interface Part {
  readonly function: string;
  readonly given: boolean;
  /** Null for a result that is one value or the row of a table. */
  readonly name: string | null;
  readonly type: string;
  /** The table of which it is a row. */
  readonly table: string | null;
}

/** The functions that the service calls: those with the settings of a command (src/db/command.ts). */
const described = `
  WITH part AS (
    SELECT p.oid, u.name, u.type, coalesce(u.mode, 'i') AS mode, u.place
    FROM pg_proc p CROSS JOIN LATERAL unnest(
      coalesce(p.proallargtypes, p.proargtypes::oid[]), p.proargnames, p.proargmodes
    ) WITH ORDINALITY AS u (type, name, mode, place)
    UNION ALL
    SELECT p.oid, NULL, p.prorettype, 't', 1000 FROM pg_proc p WHERE p.proargmodes IS NULL
  )
  SELECT p.proname AS function, part.mode = 'i' AS given, part.name, format_type(part.type, NULL) AS type,
    nullif(t.typrelid, 0)::regclass::text AS table
  FROM pg_proc p JOIN part ON part.oid = p.oid JOIN pg_type t ON t.oid = part.type
  WHERE p.pronamespace = 'command'::regnamespace AND p.proconfig::text LIKE '%plan_cache_mode%'
  ORDER BY p.proname, part.place`;

/** What `pg` makes of each type. */
const valueTypes: Readonly<Record<string, string>> = {
  boolean: 'boolean',
  integer: 'number',
  bigint: 'bigint',
  'double precision': 'number',
  text: 'string',
  bytea: 'Uint8Array',
  'timestamp with time zone': 'Date',
};

const pascal = (name: string): string =>
  name.replaceAll(/(?:^_*|[_-])([a-z])/g, (_all, letter: string) => letter.toUpperCase());
const camel = (name: string): string =>
  name.replace(/^_/, '').replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

function typeOf({ type, table, given }: Part): string {
  if (table !== null) return pascal(table);
  if (type === 'jsonb') return given ? 'object' : 'Prisma.JsonValue';
  const one = valueTypes[type.replace('[]', '')];
  if (one === undefined) throw new Error(`no TypeScript type for ${type}`);
  return type.endsWith('[]') ? `readonly ${one}[]` : one;
}

const fieldsOf = (table: string): string => `Prisma.${pascal(table)}ScalarFieldEnum`;

function resultOf({ name, table }: Part): string {
  const field = `'${camel(name ?? 'r')}'`;
  return table === null ? field : `[${field}, ${fieldsOf(table)}]`;
}

/** PostgreSQL does not know which parameters and columns may be NULL: a comment beside them says so. */
const orNull = /^ +(\w+) [^\n]* -- or NULL\b/gm;

function callerOf(name: string, parts: readonly Part[], sql: string): string {
  const nullable = new Set([...sql.matchAll(orNull)].map(([, column]) => column));
  const member = (part: Part): string =>
    `readonly ${camel(part.name ?? 'r')}: ${typeOf(part)}${nullable.has(part.name ?? '') ? ' | null' : ''}`;
  const given = parts.filter((part) => part.given && part.name !== '_tenant');
  const columns = parts.filter((part) => !part.given);
  const [only] = columns;
  const table = only?.name === null ? only.table : null;
  const row = table === null ? `{ ${columns.map(member).join('; ')} }` : pascal(table);
  const result = table === null ? `[${columns.map(resultOf).join(', ')}]` : fieldsOf(table);
  const types = given.map(({ name: key, type }) => `${camel(key ?? '')}: '${type}'`);
  return `export const ${camel(name)} = command<{ ${given.map(member).join('; ')} }, ${row}>(
    '${name}', { ${types.join(', ')} }, ${result}
  );
`;
}

/**
 * The callers of the commands, in a file for each folder of src/domain that has some: their parameters and results as
 * a database describes them that has all migrations.
 */
export async function commandCallers(client: ClientBase, root: string): Promise<GeneratedText[]> {
  const { rows } = await client.query<Part>(described);
  const functions = Map.groupBy(rows, (part) => part.function);
  const folders = new Map<string, string[]>();
  const tables = new Map<string, Set<string>>();
  for (const path of globSync('src/domain/**/*.sql', { cwd: root }).toSorted()) {
    const name = basename(path, '.sql').replaceAll('-', '_');
    const parts = functions.get(name);
    if (parts === undefined) continue;
    const folder = dirname(path);
    const callers = folders.get(folder) ?? [];
    folders.set(folder, callers);
    callers.push(callerOf(name, parts, await readFile(join(root, path), 'utf8')));
    const models = parts.flatMap(({ table }) => (table === null ? [] : [pascal(table)]));
    tables.set(folder, new Set([...(tables.get(folder) ?? []), ...models]));
  }
  return [...folders].map(([folder, callers]) => {
    const text = callers.join('\n');
    const models = [...(tables.get(folder) ?? [])].map((model) => `type ${model}`);
    const value = text.includes('ScalarFieldEnum') ? ['Prisma'] : [];
    const imported =
      text.includes('Prisma.JsonValue') && value.length === 0
        ? ['type Prisma', ...models].join(', ')
        : [...value, ...models].join(', ');
    const from = (path: string) => relative(folder, path).replaceAll('\\', '/');
    const prisma =
      imported === ''
        ? ''
        : `import { ${imported} } from '${from('generated/prisma/client.ts')}';\n`;
    return {
      file: `${folder}/commands.gen.ts`,
      generate: () =>
        `// Generated by \`npm run generate\` from the SQL files of this folder. Do not edit.\n${prisma}import { command } from '${from('src/db/command.ts')}';\n\n${text}`,
    };
  });
}
