import { once } from 'node:events';
import { runMigrations } from 'graphile-worker';
import pg from 'pg';
import { limitLogins, withoutLimits } from './limits.ts';
import { requireOwnSession } from './own-session.ts';
import { standing } from './pending.ts';
import { applyRepeatables } from './repeatable.ts';
import { grantRights } from './roles.ts';
import { admitServiceLogin } from './service-login.ts';
import { checkRoles } from './own-roles.ts';
import { readRepeatables, type SqlFile } from './sql-files.ts';

/** Any number will do: every process that migrates takes the lock of this one. */
const lockKey = 72707369;

const records = `
  CREATE TABLE IF NOT EXISTS schema_migration (
    name       text COLLATE "C" PRIMARY KEY,
    sha256     text NOT NULL,
    applied_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS schema_repeatable (
    name       text COLLATE "C" PRIMARY KEY,
    sha256     text NOT NULL,
    applied_at timestamptz(3) NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS schema_repeatable_set (
    sha256     text PRIMARY KEY,
    applied_at timestamptz NOT NULL DEFAULT now()
  );
  ALTER TABLE schema_migration ADD COLUMN IF NOT EXISTS alone boolean NOT NULL DEFAULT false`;

/** The line by which a migration says that processes of the version before it cannot run beside it. */
const runsAlone = /^-- runs alone: /m;

export interface MigrateOptions {
  /** How the API and the worker connect. Its login role is made if need be (service-login.ts). */
  readonly serviceUrl?: string | undefined;
  /**
   * Whether the roles of the service and of operators have to be this installation's alone: a new database is refused
   * where they have rights in another one of the cluster.
   */
  readonly ownRoles?: boolean;
  /** Called with a sentence for each thing that the migrating role has no right to do. */
  readonly warn?: (problem: string) => void;
}

/**
 * Brings a database to the state of this version: the missing migrations, each in a transaction of its
 * own; the repeatable files beside their folder (repeatable.ts), all in one transaction, if any changed;
 * the schema of graphile-worker; and the rights of the service on all of it. `databaseUrl` names the role
 * that owns the tables. Safe to run from several processes at once: one does the work, and the others find
 * it done. Leaves the database of a newer version as it is. Needs a session of its own, which holds the lock and has no limits.
 *
 * @returns the names of the migrations and repeatable files that this call applied
 * @throws SharedSessionError when the URL leads to a pooler in transaction mode
 * @throws MigrationError as `standing` does
 * @throws SharedRolesError with `ownRoles`
 */
export async function migrate(
  databaseUrl: string,
  migrationsDir: string,
  options: MigrateOptions = {},
): Promise<{ applied: string[] }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await requireOwnSession(client, databaseUrl);
    await client.query(withoutLimits);
    if (options.ownRoles === true) await checkRoles(client, options.warn);
    await client.query('SELECT pg_advisory_lock($1)', [lockKey]);
    await client.query(records);
    const { missing, newer } = await standing(client, migrationsDir);
    if (newer.length > 0) {
      options.warn?.(
        `The database is of a newer version, with ${String(newer.at(-1))}: nothing is changed.`,
      );
      return { applied: [] };
    }
    const applied = [];
    for (const migration of missing) {
      await apply(client, migration);
      applied.push(migration.name);
    }
    const changed = await applyRepeatables(client, await readRepeatables(migrationsDir));
    await migrateWorker(databaseUrl);
    const leftOpen = await grantRights(client);
    if (options.serviceUrl !== undefined) await admitServiceLogin(client, options.serviceUrl);
    const unlimited = await limitLogins(client);
    for (const problem of [...leftOpen, ...unlimited]) options.warn?.(problem);
    return { applied: [...applied, ...changed] };
  } finally {
    // The end of the session releases the lock, whatever state the session is in.
    await client.end();
  }
}

async function migrateWorker(databaseUrl: string): Promise<void> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  // A failure shows in a query; an idle connection that breaks does not matter here.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    client.on('error', () => {});
    client.query(withoutLimits).catch(() => undefined);
  });
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

async function apply(client: pg.ClientBase, { name, sql, sha256 }: SqlFile): Promise<void> {
  await client.query('BEGIN');
  try {
    await client.query(sql);
    await client.query('INSERT INTO schema_migration (name, sha256, alone) VALUES ($1, $2, $3)', [
      name,
      sha256,
      runsAlone.test(sql),
    ]);
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw new Error(`migration ${name} failed, and nothing of it was kept`, { cause: error });
  }
}
