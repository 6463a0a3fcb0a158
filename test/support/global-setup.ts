import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '../../dev/postgres/embedded.ts';
import { make } from '../../tools/build/make.ts';
import { migrate } from '../../src/db/migrate.ts';
import { useCompileCache } from './compile-cache.ts';
import { asService, citusNodes, execute, migrationsDir, within } from './given-server.ts';
import { givenServer } from './config.ts';
import { makeRunFolder } from './run-folder.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the administrator's database in this run's PostgreSQL. */
    postgresUrl: string;
    /** Its database is the administrator's too; its role is the one that the service connects as. */
    serviceUrl: string;
    /** Tables that the migrations fill: `reset` leaves them alone. */
    referenceTables: string[];
    /** The migrated database to copy from. */
    template: string;
    /** The administrator's database on each node of the Citus cluster that was given; empty for PostgreSQL. */
    citusNodes: string[];
  }
}

/** A PostgreSQL for the run, without durability or the one that was given, and a migrated database to copy from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A module from the cache is counted less precisely, so coverage does without.
  const compiled = project.config.coverage.enabled ? null : useCompileCache();
  const built = make('site', 'bundle');
  // It may fail before it is waited for.
  built.catch(() => undefined);
  const server = givenServer === null ? await startServer() : await useServer(givenServer);
  try {
    const template = within(server.url, server.template);
    const serviceUrl = asService(server.url);
    await migrate(template, migrationsDir, { serviceUrl });
    project.provide('postgresUrl', server.url);
    project.provide('serviceUrl', serviceUrl);
    project.provide('template', server.template);
    project.provide('referenceTables', await filledTables(template));
    project.provide('citusNodes', givenServer === null ? [] : await citusNodes(server.url));
    await Promise.all([compiled, built]);
  } catch (error) {
    await server.close();
    throw error;
  }
  return server.close;
}

interface Server {
  /** The administrator's database. */
  readonly url: string;
  /** An empty database beside it. */
  readonly template: string;
  readonly close: () => Promise<void>;
}

async function startServer(): Promise<Server> {
  const folder = makeRunFolder();
  const template = 'template_migrated';
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    database: template,
    settings: {
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      autovacuum: 'off',
      // The log may lie in memory, and nothing is recovered from it.
      max_wal_size: '256MB',
      max_connections: '300',
    },
    log: () => {},
  });
  const close = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { url: within(postgres.url, 'postgres'), template, close };
}

async function useServer(url: string): Promise<Server> {
  const template = `test_template_${randomBytes(8).toString('hex')}`;
  await execute(url, `CREATE DATABASE ${template} TEMPLATE template0`);
  // The template, and the copies that were kept.
  const close = async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const made = await client.query<{ name: string }>(
      'SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)',
      [template],
    );
    await client.end();
    await execute(url, ...made.rows.map(({ name }) => `DROP DATABASE ${name} WITH (FORCE)`));
  };
  return { url, template, close };
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
