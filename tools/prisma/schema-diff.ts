import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { SchemaEngine } from '@prisma/schema-engine-wasm';
import pg from 'pg';

/** The records of `migrate` itself, which are no models. */
const ownTables = [
  'public.schema_migration',
  'public.schema_repeatable',
  'public.schema_repeatable_set',
];

/**
 * The SQL that turns the database at `databaseUrl` into what the Prisma schema says; empty when
 * they agree. Only reads the database.
 *
 * The migrations must be applied before. The engine itself would apply them to a shadow database. Through the
 * adapter it drops that database while its pool is still connected, and with a connection string it uses the
 * main database.
 *
 * @throws Error when the schema is invalid or the database cannot be read
 */
export async function schemaDiff(databaseUrl: string, schemaFile: string): Promise<string> {
  const files = [{ path: resolve(schemaFile), content: await readFile(schemaFile, 'utf8') }];
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const faults: unknown[] = [];
  // The engine leaves the message of a panic here, before it traps outside of any promise.
  const PRISMA_WASM_PANIC_REGISTRY = { set_message: (text: string) => console.error(text) };
  Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY });
  const factory = resultsOf(new PrismaPg(pool), findChars(pool), faults);
  const engine = await SchemaEngine.new({ datamodels: undefined }, () => {}, factory);
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: dirname(resolve(schemaFile)) },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [...ownTables], externalEnums: [] },
    });
    // Where they agree there is a comment that says so.
    return /^(?!--|$)/m.test(stdout ?? '') ? (stdout ?? '') : '';
  } catch (error) {
    throw faults[0] ?? error;
  } finally {
    engine.free();
    await pool.end();
  }
}

/** Object ids of types in PostgreSQL, and the number of a character in the protocol of driver adapters. */
const CHAR = 18;
const TEXT = 25;
const CHARACTER = 6;

/** For the rows of each result: the columns that have the type "char". */
type CharColumns = WeakMap<object, number[]>;

/**
 * The engine reads columns of type "char" from the catalogue, which the adapter refuses. So the adapter sees
 * text, and the engine gets the true type afterwards.
 */
function findChars(pool: pg.Pool): CharColumns {
  const found: CharColumns = new WeakMap();
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>;
  const patched = async (...args: unknown[]) => {
    const result = await query(...args);
    const columns = [...result.fields.keys()];
    const chars = columns.filter((column) => result.fields[column]?.dataTypeID === CHAR);
    found.set(result.rows, chars);
    for (const field of result.fields) if (field.dataTypeID === CHAR) field.dataTypeID = TEXT;
    return result;
  };
  Object.assign(pool, { query: patched });
  return found;
}

type Method = (...args: unknown[]) => unknown;

/**
 * The engine wants `{ ok, value }` where the adapter returns or throws. Errors are kept in `faults`,
 * because the engine only passes on their number.
 */
function resultsOf(target: object, chars: CharColumns, faults: unknown[]): object {
  const results = async (call: () => unknown) => {
    try {
      const value = await call();
      if (isResultSet(value)) {
        for (const column of chars.get(value.rows) ?? []) value.columnTypes[column] = CHARACTER;
      }
      return { ok: true, value: isAdapter(value) ? resultsOf(value, chars, faults) : value };
    } catch (cause) {
      return { ok: false, error: { kind: 'GenericJs', id: faults.push(cause) - 1 } };
    }
  };
  return new Proxy(target, {
    get(object, name) {
      const member: unknown = Reflect.get(object, name);
      if (typeof member !== 'function') return member;
      const method = (member as Method).bind(object);
      if (name === 'getConnectionInfo') return () => ({ ok: true, value: method() });
      return (...args: unknown[]) => results(() => method(...args));
    },
  });
}

function isAdapter(value: unknown): value is object {
  return typeof value === 'object' && value !== null && 'queryRaw' in value;
}

function isResultSet(value: unknown): value is { columnTypes: number[]; rows: object } {
  return typeof value === 'object' && value !== null && 'columnTypes' in value && 'rows' in value;
}
