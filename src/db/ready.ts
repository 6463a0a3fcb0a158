import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { MigrationError, pendingMigrations } from './migrate.ts';

export const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** Whether this process can serve. */
export interface Readiness {
  /** Why not, or null. */
  problem(): Promise<string | null>;
  /** From now on it is not ready: it finishes what it has begun and takes nothing new. */
  drain(): void;
}

/**
 * Not ready: it drains, the database does not answer, or it lacks migrations of this version. The
 * migrations are looked at until they are there; after that a probe costs one `SELECT 1`, and the
 * migrations of a newer version, applied while this one still serves, do not concern it.
 */
export function createReadiness(pool: Pool): Readiness {
  let migrated = false;
  let draining = false;

  async function migrationProblem(): Promise<string | null> {
    const pending = await pendingMigrations(pool, migrationsDir);
    migrated = pending.length === 0;
    return migrated ? null : `${pending.length} migrations are missing`;
  }

  async function databaseProblem(): Promise<string | null> {
    try {
      if (!migrated) return await migrationProblem();
      await pool.query('SELECT 1');
      return null;
    } catch (error) {
      return error instanceof MigrationError
        ? 'the migrations of the database are not those of this version'
        : 'the database does not answer';
    }
  }

  return {
    async problem() {
      const problem = draining ? null : await databaseProblem();
      return draining ? 'draining' : problem;
    },
    drain() {
      draining = true;
    },
  };
}
