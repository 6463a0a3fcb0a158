import { fileURLToPath } from 'node:url';
import type { Pool } from 'pg';
import { MigrationError, pendingMigrations } from './pending.ts';
import type { DatabaseWatch } from './watch.ts';

export const migrationsDir = fileURLToPath(new URL('../../prisma/migrations', import.meta.url));

/** Something beside the database and its schema that a process needs. */
export interface HealthPart {
  /** Why the process cannot serve, or null. Asks nobody. */
  problem?(): string | null;
  /** What somebody has to mend though the process serves, or null. Asks nobody. */
  warning?(): string | null;
}

/** Whether this process can serve. */
export interface Readiness {
  /** Why not, or null. */
  problem(): Promise<string | null>;
  /** What somebody has to mend though the process serves. */
  warnings(): string[];
  /** Makes the process not ready: it finishes the requests that it has begun and accepts no others. */
  drain(): void;
}

/**
 * A process is not ready while it drains, while the watch sees the database away or a part has a problem, or until
 * the database has the migrations and repeatable files of this version, or those of a newer one beside which it can
 * run. Once it has them, a probe asks nobody.
 */
export function createReadiness(
  pool: Pool,
  watch: Pick<DatabaseWatch, 'problem'>,
  parts: readonly HealthPart[] = [],
): Readiness {
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

  const partProblem = (): string | null =>
    parts.flatMap((part) => part.problem?.() ?? [])[0] ?? null;

  return {
    async problem() {
      const problem = draining ? null : ((await databaseProblem()) ?? partProblem());
      return draining ? 'draining' : problem;
    },
    warnings: () => parts.flatMap((part) => part.warning?.() ?? []),
    drain() {
      draining = true;
    },
  };
}
