import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { serviceFunctions, serviceRole } from './roles.ts';
import type { SqlFile } from './sql-files.ts';

/** The files whose content differs from what was applied last, in order. */
async function changedRepeatables(
  client: Pick<ClientBase, 'query'>,
  files: readonly SqlFile[],
): Promise<SqlFile[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM schema_repeatable',
  );
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  return files.filter(({ name, sha256 }) => applied.get(name) !== sha256);
}

/** Of the names and contents of all files. */
const digestOf = (files: readonly SqlFile[]): string =>
  createHash('sha256')
    .update(files.map(({ name, sha256 }) => `${name} ${sha256}\n`).join(''))
    .digest('hex');

/**
 * The files whose content the database does not have, in order; none where a newer version has replaced them since,
 * even one that brought no migration.
 */
export async function lackedRepeatables(
  client: Pick<ClientBase, 'query'>,
  files: readonly SqlFile[],
): Promise<SqlFile[]> {
  const changed = await changedRepeatables(client, files);
  if (changed.length === 0) return [];
  // An older version has no such table.
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('schema_repeatable_set') IS NOT NULL AS found",
  );
  if (rows[0]?.found !== true) return changed;
  const { rowCount } = await client.query('SELECT FROM schema_repeatable_set WHERE sha256 = $1', [
    digestOf(files),
  ]);
  return rowCount === 0 ? changed : [];
}

/** Notes that the database has these files, and no longer those of any version after them. */
async function noteSet(client: ClientBase, files: readonly SqlFile[]): Promise<void> {
  const digest = digestOf(files);
  await client.query(
    'INSERT INTO schema_repeatable_set (sha256) VALUES ($1) ON CONFLICT (sha256) DO NOTHING',
    [digest],
  );
  await client.query(
    `DELETE FROM schema_repeatable_set
     WHERE applied_at > (SELECT applied_at FROM schema_repeatable_set WHERE sha256 = $1)`,
    [digest],
  );
}

/**
 * Applies the files that make the operators' views, functions and grants. If a file was added, changed or
 * removed, everything is dropped and all files run in the order of their names, in one transaction, so that
 * nobody sees half of it.
 *
 * @returns the names of the files that were new or changed
 * @throws Error if a file fails, or something else in the database depends on a view or a function of
 *   `ops`; nothing has changed then
 */
export async function applyRepeatables(
  client: ClientBase,
  files: readonly SqlFile[],
): Promise<string[]> {
  const changed = await changedRepeatables(client, files);
  const names = files.map(({ name }) => name);
  const { rowCount: removed } = await client.query(
    'SELECT FROM schema_repeatable WHERE name <> ALL ($1)',
    [names],
  );
  if (changed.length === 0 && removed === 0) {
    await noteSet(client, files);
    return [];
  }
  await client.query('BEGIN');
  try {
    await client.query(dropAll);
    await client.query('DELETE FROM schema_repeatable');
    for (const file of files) await run(client, file);
    await client.query(admitService);
    await noteSet(client, files);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  return changed.map(({ name }) => name);
}

/** SQL: the functions that the service calls, as PostgreSQL writes them. */
const ofService = serviceFunctions.map((name) => `'${name}'`).join(', ');

/**
 * The previous version calls its functions from the commit on, and they may call new ones. All other rights are given
 * at the end of the migration (roles.ts), which also makes the role where it is not there.
 */
const admitService = `
  DO $$
  DECLARE
    made regprocedure;
  BEGIN
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = '${serviceRole}') THEN
      FOR made IN
        SELECT oid FROM pg_proc
        WHERE pronamespace = to_regnamespace('ops')
          AND oid::regprocedure::text IN (${ofService})
      LOOP
        EXECUTE format('GRANT EXECUTE ON FUNCTION %s TO ${serviceRole}', made);
      END LOOP;
    END IF;
  END $$`;

async function run(client: ClientBase, { name, sql, sha256 }: SqlFile): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    throw new Error(`${name} failed, and nothing of the repeatable files was kept`, {
      cause: error,
    });
  }
  await client.query('INSERT INTO schema_repeatable (name, sha256) VALUES ($1, $2)', [
    name,
    sha256,
  ]);
}

/**
 * Views and functions depend on each other in both directions, but each only on objects that are older, so
 * the newest is dropped first. CASCADE is not used, because it could drop a constraint of a table. Functions
 * that the service calls are replaced instead of dropped, because its statements run during a migration. On Citus a
 * view is replaced by one of a newer function, `ops.rows_of_…`, which depends on nothing and so goes last.
 */
const dropAll = `
  DO $$
  DECLARE
    made record;
  BEGIN
    FOR made IN
      SELECT oid, 'VIEW ' || oid::regclass AS what, false AS at_last FROM pg_class
      WHERE relnamespace = to_regnamespace('ops') AND relkind = 'v'
      UNION ALL
      SELECT oid, 'FUNCTION ' || oid::regprocedure, starts_with(proname, 'rows_of_') FROM pg_proc
      WHERE pronamespace = to_regnamespace('ops')
        AND oid::regprocedure::text NOT IN (${ofService})
      ORDER BY at_last, oid DESC
    LOOP
      EXECUTE 'DROP ' || made.what;
    END LOOP;
  END $$`;
