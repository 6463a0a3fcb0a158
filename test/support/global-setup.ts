import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../dev/postgres/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { useCompileCache } from './compile-cache.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the administrator's database in this run's PostgreSQL. */
    postgresUrl: string;
    /** Its database is the administrator's too; its role is the one that the service connects as. */
    serviceUrl: string;
    /** Tables that the migrations fill: `reset` leaves them alone. */
    referenceTables: string[];
  }
}

const MIGRATIONS = join(import.meta.dirname, '../../prisma/migrations');

/** One PostgreSQL for the run, without durability, and one migrated database to copy from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A module from the cache is counted less precisely, so coverage does without.
  const compiled = project.config.coverage.enabled ? null : useCompileCache();
  const folder = mkdtempSync(join(tmpdir(), 'payouts-test-'));
  chmodSync(folder, 0o755);
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    database: 'template_migrated',
    stopWithParent: true,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
      max_connections: '300',
    },
    log: () => {},
  });
  const close = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const service = new URL(postgres.url);
    service.username = 'payouts_app';
    service.password = randomBytes(16).toString('hex');
    await migrate(postgres.url, MIGRATIONS, { serviceUrl: service.href });
    service.pathname = '/postgres';
    project.provide('serviceUrl', service.href);
    project.provide('referenceTables', await filledTables(postgres.url));
    const url = new URL(postgres.url);
    url.pathname = '/postgres';
    project.provide('postgresUrl', url.href);
    await compiled;
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}

async function filledTables(url: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const filled = [];
    for (const { name } of tables.rows) {
      const row = await client.query(`SELECT 1 FROM ${name} LIMIT 1`);
      if (row.rowCount === 1) filled.push(name);
    }
    return filled;
  } finally {
    await client.end();
  }
}
