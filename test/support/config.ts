import { delimiter, join } from 'node:path';

/**
 * The PostgreSQL to test on, as the administrator of a database of it; the tests make databases of their own
 * there. Where that database is the coordinator of a Citus cluster, theirs are distributed over its nodes.
 * Null: the run starts the PostgreSQL that npm installed.
 */
export const givenServer: string | null = process.env['TEST_DATABASE_URL'] ?? null;

/** Where processes of the tests keep what Node made of the sources, so that the next one need not. */
export const compileCache = join(import.meta.dirname, '../../node_modules/.cache/test-compiled');

/** Lets this process's children, the tests among them, use the compile cache; one that is set stays. */
export function shareCompileCache(): void {
  process.env['NODE_COMPILE_CACHE'] ??= compileCache;
}

/** What the processes of a test inherit: where programs are and what is compiled, and nothing that changes the service. */
export const inherited: Readonly<NodeJS.ProcessEnv> = {
  PATH: process.env['PATH'],
  HOME: process.env['HOME'],
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
};

/** The folders in which programs are looked for. */
export const programFolders: readonly string[] = (process.env['PATH'] ?? '').split(delimiter);

/** A copy of the whole environment, to compare with what a test file leaves. */
export const environmentNow = (): NodeJS.ProcessEnv => ({ ...process.env });

/** Any text, which gives the test files an order of its own: to find one that depends on those before it. */
export const fileOrder: string | null = process.env['SHUFFLE_FILES'] ?? null;

/** The seed of a storm of screenings, to repeat one that failed; null: one of its own each time. */
export const screeningSeed: string | null = process.env['SCREENING_SEED'] ?? null;

/** Where the programs of PostgreSQL are that npm does not install; null: in PATH, if anywhere. */
export const namedPostgresPrograms: string | null = process.env['TEST_POSTGRES_BIN'] ?? null;

/** Prometheus' own checker of rules; null: in PATH, if anywhere. */
export const namedPromtool: string | null = process.env['TEST_PROMTOOL'] ?? null;

/** A PgBouncer elsewhere than in PATH. */
export const namedPgBouncer = process.env['TEST_PGBOUNCER'];
