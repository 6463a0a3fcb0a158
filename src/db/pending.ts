import { dirname, join } from 'node:path';
import type { ClientBase } from 'pg';
import { changedRepeatables } from './repeatable.ts';
import { readMigrations, readRepeatables, type SqlFile } from './sql-files.ts';

type Client = Pick<ClientBase, 'query'>;

/** The database and the folder of migrations disagree, and only a person can decide what to do. */
export class MigrationError extends Error {
  constructor(migration: string, problem: string) {
    super(`migration ${migration}: ${problem}`);
    this.name = 'MigrationError';
  }
}

/** The folder of the repeatable files beside a folder of migrations. */
export function repeatableDir(migrationsDir: string): string {
  return join(dirname(migrationsDir), 'repeatable');
}

/**
 * The names of the migrations and repeatable files of this version that the database lacks or has with
 * another content, in order; for readiness.
 *
 * @throws MigrationError as `missing` does
 */
export async function pendingMigrations(client: Client, migrationsDir: string): Promise<string[]> {
  const repeatables = await readRepeatables(repeatableDir(migrationsDir));
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('schema_migration') IS NOT NULL AS found",
  );
  const pending =
    rows[0]?.found === true
      ? [
          ...(await missing(client, migrationsDir)),
          ...(await changedRepeatables(client, repeatables)),
        ]
      : [...(await readMigrations(migrationsDir)), ...repeatables];
  return pending.map(({ name }) => name);
}

/**
 * The migrations that the database lacks, in order.
 *
 * @throws MigrationError when one that it has was edited or is unknown here
 */
export async function missing(client: Client, migrationsDir: string): Promise<SqlFile[]> {
  const migrations = await readMigrations(migrationsDir);
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'SELECT name, sha256 FROM schema_migration ORDER BY name',
  );
  for (const row of rows) {
    const migration = migrations.find(({ name }) => name === row.name);
    if (migration === undefined) {
      throw new MigrationError(row.name, 'is applied but unknown here: this is an older version');
    }
    if (migration.sha256 !== row.sha256) {
      throw new MigrationError(
        row.name,
        'was edited after it was applied; write a new one instead',
      );
    }
  }
  const done = new Set(rows.map(({ name }) => name));
  return migrations.filter(({ name }) => !done.has(name));
}
