import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { inject } from 'vitest';
import { createPool, noAnswerLimitMs } from '../../src/db/pool.ts';
import { execute, lendDistributed, within } from './given-server.ts';

/** A database of a test file's own, migrated, on the run's PostgreSQL. */
export interface TestDatabase {
  /** As the service connects: a role that owns nothing, so that the tests prove that its rights suffice. */
  url: string;
  /** As the role that owns the tables. */
  ownerUrl: string;
  /** The owner's, for the test's own looks at the rows. The code under test makes its own from `url`. */
  pool: pg.Pool;
  /** Deletes all rows but those that the migrations put in, in about 2 ms. */
  reset(): Promise<void>;
  /** Ends `pool` and removes the database, cutting whatever connections are left. */
  drop(): Promise<void>;
}

/** graphile-worker keeps the ids of its tasks in memory; without their rows it would lose jobs. */
const KEPT_BY_RUNNING_WORKERS = ['graphile_worker._private_tasks'];

/**
 * Copies the migrated template into a new database; call it in `beforeAll`, `drop` in `afterAll`.
 * `migrated: false` gives an empty database, for tests of the migrations themselves.
 */
export async function testDatabase({ migrated = true } = {}): Promise<TestDatabase> {
  const nodes = inject('citusNodes');
  return migrated && nodes.length > 0 ? distributedDatabase(nodes) : ownDatabase(migrated);
}

async function ownDatabase(migrated: boolean): Promise<TestDatabase> {
  const admin = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const template = migrated ? inject('template') : 'template0';
  await execute(admin, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY WAL_LOG`);
  const { pool, ...database } = opened(name);
  if (migrated) relayBeforeLooking(pool);
  let deleteAll: string | undefined;
  return {
    ...database,
    pool,
    reset: async () => {
      deleteAll ??= await deleteStatement(pool);
      await pool.query(deleteAll);
    },
    drop: async () => {
      await pool.end();
      await execute(admin, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/**
 * Moves the outbox to graphile-worker before a test's own statement names one of graphile-worker's tables: a
 * test asks which jobs there are, and most tests run no worker that would move them.
 */
function relayBeforeLooking(pool: pg.Pool): void {
  const query = pool.query.bind(pool) as (...given: unknown[]) => Promise<pg.QueryResult>;
  const look = async (...given: unknown[]): Promise<pg.QueryResult> => {
    const [text] = given;
    if (typeof text === 'string' && text.includes('graphile_worker.')) {
      await relayAll((sql) => query(sql));
    }
    return query(...given);
  };
  pool.query = look as typeof pool.query;
}

/** On Citus the jobs are taken from the outbox in transactions of their own. */
async function relayAll(query: (sql: string) => Promise<pg.QueryResult>): Promise<void> {
  let { rows } = await query(
    `SELECT kept AS more FROM ops.relay_batch('', 100000, 100000, 20, true)`,
  );
  while (rows[0]?.more === true)
    ({ rows } = await query('SELECT ops.clear_outbox(100000) AS more'));
}

/** One that is kept for other files: it is emptied before use instead of dropped after it. */
async function distributedDatabase(nodes: readonly string[]): Promise<TestDatabase> {
  const { name, giveBack } = await lendDistributed(inject('postgresUrl'), nodes);
  const { pool, ...database } = opened(name);
  relayBeforeLooking(pool);
  const reset = async () => {
    await pool.query(`TRUNCATE ${(await emptied(pool)).join(', ')}`);
  };
  await reset();
  return {
    ...database,
    pool,
    reset,
    drop: async () => {
      await pool.end();
      await giveBack();
    },
  };
}

function opened(name: string): Pick<TestDatabase, 'url' | 'ownerUrl' | 'pool'> {
  const ownerUrl = within(inject('postgresUrl'), name);
  const pool = createPool(ownerUrl, 5, 'test', noAnswerLimitMs);
  return { url: within(inject('serviceUrl'), name), ownerUrl, pool };
}

/** The tables that a reset empties. */
async function emptied(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
      WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
  );
  const kept = new Set([...inject('referenceTables'), ...KEPT_BY_RUNNING_WORKERS]);
  return rows.map(({ name }) => name).filter((name) => !kept.has(name));
}

/** One round trip: several statements in one string are one transaction. */
async function deleteStatement(pool: pg.Pool): Promise<string> {
  const deletes = (await emptied(pool)).map((name) => `DELETE FROM ${name}`);
  // Foreign keys are triggers, and `replica` switches those off: the order does not matter.
  return ['SET LOCAL session_replication_role = replica', ...deletes].join('; ');
}
