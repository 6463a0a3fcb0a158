import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import { execute, within } from './given-server.ts';

/*
 * To make a database and its caches takes a quarter of a second of processor time, so one whose test file has
 * ended is emptied for the next file of this process. What a test changed otherwise than in its rows is dropped.
 */

/** graphile-worker keeps the ids of its tasks in memory; without their rows it would lose jobs. */
const ofRunningWorkers = 'graphile_worker._private_tasks';

/** One round trip that empties all tables but those: several statements in one string are one transaction. */
export async function deleteStatement(database: pg.Pool | pg.Client): Promise<string> {
  const deletes = (await emptied(database)).map((name) => `DELETE FROM ${name}`);
  // Foreign keys are triggers, and `replica` switches those off: the order does not matter.
  return ['SET LOCAL session_replication_role = replica', ...deletes].join('; ');
}

/** The tables that a reset empties. */
export async function emptied(database: pg.Pool | pg.Client): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const left = new Set([...inject('referenceTables'), ofRunningWorkers]);
  return rows.map(({ name }) => name).filter((name) => !left.has(name));
}

/**
 * Empties each table that has pages. Without rows and with pages it is planned otherwise than in a new copy, which has
 * neither.
 */
async function truncateStatement(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ tables: string | null }>(
    `SELECT string_agg(c.oid::regclass::text, ', ') AS tables
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')
       AND format('%I.%I', n.nspname, c.relname) <> ALL ($1) AND pg_relation_size(c.oid) > 0`,
    [inject('referenceTables')],
  );
  const tables = rows[0]?.tables ?? null;
  return tables === null ? 'SELECT 1' : `TRUNCATE ${tables} CASCADE`;
}

/** Definitions, rights, and the planner's statistics. What belongs to a session alone is gone with it. */
const catalogues = [
  'pg_attribute',
  'pg_constraint',
  'pg_default_acl',
  "pg_namespace WHERE nspname !~ '^pg_(toast_)?temp_'",
  'pg_policy',
  'pg_proc',
  'pg_rewrite',
  'pg_statistic',
  'pg_trigger',
];

/** More would slow down the files that come after. */
const largestBytes = 32 * 1024 ** 2;

/** What a database is but for the rows of tests. A copy has all of it from the template, transaction numbers too. TRUNCATE changes pg_class. */
function stateQuery(): string {
  const parts = [
    ...catalogues.map((from) => `(SELECT concat(count(*), sum(xmin::text::bigint)) FROM ${from})`),
    `(SELECT concat(count(*), sum(relrowsecurity::integer), md5(string_agg(relacl::text, ' ' ORDER BY oid)))
      FROM pg_class)`,
    ...inject('referenceTables').map(
      (name) => `(SELECT md5(string_agg(t::text, '' ORDER BY t::text)) FROM ${name} t)`,
    ),
    `(SELECT concat(datconnlimit, dattablespace, datacl) FROM pg_database WHERE datname = current_database())`,
    `(SELECT count(*) FROM pg_db_role_setting s JOIN pg_database d ON d.oid = s.setdatabase
      WHERE datname = current_database())`,
    `pg_database_size(current_database()) < ${largestBytes}`,
  ];
  return `SELECT concat_ws(' ', ${parts.join(', ')}) AS state`;
}

async function stateOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ state: string }>(stateQuery());
  return rows[0]?.state ?? '';
}

async function connected<T>(name: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: within(inject('postgresUrl'), name) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const free: string[] = [];
let asCopied: string | undefined;

/** The name of a copy of the template that no other file has. */
export async function lendCopy(): Promise<string> {
  const again = free.pop();
  if (again !== undefined) return again;
  const name = await makeDatabase(inject('template'));
  asCopied ??= await connected(name, stateOf);
  return name;
}

/** The name of a new database. */
export async function makeDatabase(template: string): Promise<string> {
  const name = `${inject('template')}_${randomUUID().replaceAll('-', '')}`;
  const copy = `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY WAL_LOG`;
  await execute(inject('postgresUrl'), copy);
  return name;
}

export const dropDatabase = (name: string): Promise<void> =>
  execute(inject('postgresUrl'), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);

/** Empties a copy for the next `lendCopy`, or drops it. Cuts whatever connections are left. */
export async function giveCopyBack(name: string): Promise<void> {
  const isAsCopied = await connected(name, async (client) => {
    // Waits until each is gone.
    await client.query(
      `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
    if ((await stateOf(client)) !== asCopied) return false;
    await client.query(`${await truncateStatement(client)};
      SELECT setval(format('%I.%I', schemaname, sequencename), start_value, false) FROM pg_sequences`);
    return true;
    // The test renamed it, or let nobody in.
  }).catch(() => false);
  if (isAsCopied) free.push(name);
  else await dropDatabase(name);
}
