import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { MigrationError, pendingMigrations } from './pending.ts';
import type { DatabaseWatch } from './watch.ts';

export const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** Whether this process can serve. */
export interface Readiness {
  /** Why not, or null. */
  problem(): Promise<string | null>;
  /** Makes the process not ready: it finishes the requests that it has begun and accepts no others. */
  drain(): void;
}

/**
 * A process is not ready while it drains, while the watch sees the database away, or until the database has
 * the migrations and repeatable files of this version, or those of a newer one beside which it can run. Once it has
 * them, a probe asks nobody.
 */
export function createReadiness(pool: Pool, watch: Pick<DatabaseWatch, 'problem'>): Readiness {
  let migrated = false;
  let draining = false;

  async function migrationProblem(): Promise<string | null> {
    const pending = await pendingMigrations(pool, migrationsDir);
    migrated = pending.length === 0;
    return migrated ? null : `${pending.length} migrations are missing`;
  }

  async function databaseProblem(): Promise<string | null> {
    const away = watch.problem();
    if (away !== null || migrated) return away;
    try {
      return await migrationProblem();
    } catch (error) {
      return error instanceof MigrationError ? error.message : 'the database does not answer';
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
