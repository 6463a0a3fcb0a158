import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { grantRights } from './roles.ts';
import { admitServiceLogin } from './service-login.ts';

/** The database and the folder of migrations disagree in a way that only a person can settle. */
export class MigrationError extends Error {
  constructor(migration: string, problem: string) {
    super(`migration ${migration}: ${problem}`);
    this.name = 'MigrationError';
  }
}

interface Migration {
  name: string;
  sql: string;
  checksum: string;
}

interface AppliedRow {
  migration_name: string;
  checksum: string;
  finished_at: Date | null;
}

/** The key that Prisma's own `migrate deploy` locks, so that the two exclude each other. */
const lockKey = 72707369;

/** Prisma's table, column by column: `prisma migrate` reads and continues what is applied here. */
const migrationsTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id                  VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum            VARCHAR(64) NOT NULL,
  finished_at         TIMESTAMPTZ,
  migration_name      VARCHAR(255) NOT NULL,
  logs                TEXT,
  rolled_back_at      TIMESTAMPTZ,
  started_at          TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

export interface MigrateOptions {
  /** How the API and the worker connect: its login role is made and admitted (service-login.ts). */
  readonly serviceUrl?: string | undefined;
  /** Told what the migrating role had no right to do, a sentence each. */
  readonly warn?: (problem: string) => void;
}

/**
 * Applies what is missing, each migration in one transaction, then graphile-worker's own schema, then the
 * rights of the service on all of it. `databaseUrl` names the role that owns the tables.
 * Safe to run from several processes at once: one does the work, the others find it done.
 * Needs a direct connection: the lock belongs to the session.
 *
 * @returns the names of the migrations that this call applied
 * @throws MigrationError when an applied migration was edited, is unknown here, or is half-applied
 */
export async function migrate(
  databaseUrl: string,
  migrationsDir: string,
  options: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
    await client.query(migrationsTable);
    const applied = [];
    for (const migration of await unapplied(client, migrationsDir)) {
      await apply(client, migration);
      applied.push(migration.name);
    }
    await migrateWorker(databaseUrl);
    for (const problem of await grantRights(client)) options.warn?.(problem);
    if (options.serviceUrl !== undefined) await admitServiceLogin(client, options.serviceUrl);
    return { applied };
  } finally {
    // The end of the session releases the lock, whatever state the session is in.
    await client.end();
  }
}

async function migrateWorker(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  // What fails, fails in a query: an idle connection that breaks concerns nobody here.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await runMigrations({ pgPool: pool });
    // `end` alone does not wait for the connection, and DROP DATABASE would still see it.
    const closed = once(pool, 'remove');
    await Promise.all([pool.end(), closed]);
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/**
 * The names of the migrations in `migrationsDir` that the database lacks, in order; for readiness.
 *
 * @throws MigrationError as `migrate` does
 */
export async function pendingMigrations(
  client: Pick<pg.ClientBase, 'query'>,
  migrationsDir: string,
): Promise<string[]> {
  const table = await client.query<{ found: boolean }>(
    "SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found",
  );
  const all = table.rows[0]?.found === true;
  const missing = all ? await unapplied(client, migrationsDir) : await read(migrationsDir);
  return missing.map((migration) => migration.name);
}

async function unapplied(
  client: Pick<pg.ClientBase, 'query'>,
  migrationsDir: string,
): Promise<Migration[]> {
  const migrations = await read(migrationsDir);
  const { rows } = await client.query<AppliedRow>(
    `SELECT migration_name, checksum, finished_at FROM _prisma_migrations
      WHERE rolled_back_at IS NULL ORDER BY started_at`,
  );
  for (const row of rows) check(row, migrations);
  const done = new Set(rows.map((row) => row.migration_name));
  return migrations.filter((migration) => !done.has(migration.name));
}

function check(row: AppliedRow, migrations: Migration[]): void {
  const name = row.migration_name;
  if (row.finished_at === null) {
    throw new MigrationError(name, 'began and never finished; repair by hand, then mark its row');
  }
  const migration = migrations.find((candidate) => candidate.name === name);
  if (migration === undefined) {
    throw new MigrationError(name, 'is applied but unknown here: this is an older version');
  }
  if (migration.checksum !== row.checksum) {
    throw new MigrationError(name, 'was edited after it was applied; write a new one instead');
  }
}

async function apply(client: pg.ClientBase, { name, sql, checksum }: Migration): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query(
      `INSERT INTO _prisma_migrations
         (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
       VALUES (gen_random_uuid(), $1, $2, now(), clock_timestamp(), 1)`,
      [checksum, name],
    );
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${name} failed, and nothing of it was kept`, { cause: error });
  }
}

async function read(migrationsDir: string): Promise<Migration[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
  return Promise.all(
    names.toSorted().map(async (name) => {
      const sql = await readFile(join(migrationsDir, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    }),
  );
}
