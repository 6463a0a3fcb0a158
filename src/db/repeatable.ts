import type { ClientBase } from 'pg';
import { serviceFunctions } from './roles.ts';
import type { SqlFile } from './sql-files.ts';

/** The files whose content is not what was applied last, in order. */
export async function changedRepeatables(
  client: Pick<ClientBase, 'query'>,
  files: readonly SqlFile[],
): Promise<SqlFile[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM schema_repeatable',
  );
  const applied = new Map(rows.map(({ name, sha256 }) => [name, sha256]));
  return files.filter(({ name, sha256 }) => applied.get(name) !== sha256);
}

/**
 * Makes the operators' views, functions and grants what the files say. If a file was added, changed or
 * removed, everything is dropped and all files run in the order of their names, in one transaction:
 * nobody sees a part of it.
 *
 * @returns the names of the files that were new or changed
 * @throws Error when a file fails, or something else in the database depends on a view or a function of
 *   `ops`; then nothing has changed
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
  if (changed.length === 0 && removed === 0) return [];
  await client.query('BEGIN');
  try {
    await client.query(dropAll);
    await client.query('DELETE FROM schema_repeatable');
    for (const file of files) await run(client, file);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
  return changed.map(({ name }) => name);
}

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
 * Views and functions depend on each other in both directions, and each only on what was made before it:
 * the last made is dropped first. There is no CASCADE, which could take a constraint of a table with it.
 * Functions that the service calls are replaced instead, since its statements run meanwhile.
 */
const dropAll = `
  DO $$
  DECLARE
    made record;
  BEGIN
    FOR made IN
      SELECT oid, 'VIEW ' || oid::regclass AS what FROM pg_class
      WHERE relnamespace = to_regnamespace('ops') AND relkind = 'v'
      UNION ALL
      SELECT oid, 'FUNCTION ' || oid::regprocedure FROM pg_proc
      WHERE pronamespace = to_regnamespace('ops')
        AND oid::regprocedure::text NOT IN (${serviceFunctions.map((name) => `'${name}'`).join(', ')})
      ORDER BY oid DESC
    LOOP
      EXECUTE 'DROP ' || made.what;
    END LOOP;
  END $$`;
