import type { ClientBase } from 'pg';
import { lackedRepeatables } from './repeatable.ts';
import { readMigrations, readRepeatables, type SqlFile } from './sql-files.ts';

type Client = Pick<ClientBase, 'query'>;

/** The database and the folder of migrations disagree, and only a person can decide what to do. */
export class MigrationError extends Error {
  constructor(migration: string, problem: string) {
    super(`migration ${migration}: ${problem}`);
    this.name = 'MigrationError';
  }
}

/**
 * The names of the migrations and repeatable files of this version that the database lacks or has with
 * another content, in order; for readiness. A database of a newer version lacks nothing: a release adds to the schema,
 * and the version before it still works.
 *
 * @throws MigrationError as `standing` does
 */
export async function pendingMigrations(client: Client, migrationsDir: string): Promise<string[]> {
  const repeatables = await readRepeatables(migrationsDir);
  const { rows } = await client.query<{ found: boolean }>(
    "SELECT to_regclass('schema_migration') IS NOT NULL AS found",
  );
  if (rows[0]?.found !== true) {
    return [...(await readMigrations(migrationsDir)), ...repeatables].map(({ name }) => name);
  }
  const { missing, newer } = await standing(client, migrationsDir);
  if (newer.length > 0) return [];
  const changed = await lackedRepeatables(client, repeatables);
  return [...missing, ...changed].map(({ name }) => name);
}

/** How a database stands to the migrations of this version. */
export interface Standing {
  /** Migrations that the database lacks, in order. */
  readonly missing: SqlFile[];
  /** Names of those that it has and that are unknown here, since a newer version brought them. */
  readonly newer: string[];
}

interface Applied {
  readonly name: string;
  readonly sha256: string;
  readonly alone: boolean;
}

/**
 * @throws MigrationError when a migration of the database was edited, or is unknown here and either runs alone or
 *   is there where one of this version is missing
 */
export async function standing(client: Client, migrationsDir: string): Promise<Standing> {
  const migrations = await readMigrations(migrationsDir);
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  // A database of an older version has no column `alone` yet.
  const { rows } = await client.query<Applied>(
    `SELECT name, sha256, coalesce((to_jsonb(m) ->> 'alone')::boolean, false) AS alone
       FROM schema_migration m ORDER BY name`,
  );
  for (const { name, sha256 } of rows) {
    const migration = known.get(name);
    if (migration !== undefined && migration.sha256 !== sha256) {
      throw new MigrationError(name, 'was edited after it was applied; write a new one instead');
    }
  }
  const done = new Set(rows.map(({ name }) => name));
  const missing = migrations.filter(({ name }) => !done.has(name));
  const unknown = rows.filter(({ name }) => !known.has(name));
  for (const { name, alone } of unknown) {
    if (alone) {
      throw new MigrationError(name, 'is of a newer version, beside which this one cannot run');
    }
    if (missing[0] !== undefined) {
      throw new MigrationError(
        name,
        `is applied but unknown here, where ${missing[0].name} is new`,
      );
    }
  }
  return { missing, newer: unknown.map(({ name }) => name) };
}
