import { Pool, types, type CustomTypesConfig, type PoolClient, type QueryResultRow } from 'pg';
import { lostConnection } from './errors.ts';

/** Runs a statement: on any connection, or on the one of a transaction. */
export type Queryable = Pool | PoolClient;

/**
 * A prepared statement: PostgreSQL parses and plans it once for each connection. Operators see its name in
 * pg_prepared_statements.
 */
export interface Statement {
  readonly name: string;
  readonly text: string;
  /** Milliseconds to wait for the answer, if not the pool's limit. */
  readonly query_timeout?: number;
}

/** For a statement that sets its own `statement_timeout`: the longest time of a timer, 24 days. */
export const noAnswerLimitMs = 2 ** 31 - 1;

/** How long a statement may take, in milliseconds: on the server, and until its answer arrives. */
export interface StatementLimits {
  readonly statementMs: number;
  /** A little more than `statementMs`, for an answer that never comes. */
  readonly answerMs: number;
}

const usualLimits: StatementLimits = { statementMs: 30_000, answerMs: 35_000 };

/**
 * At most `max` connections to `url`, which PostgreSQL lists under `applicationName`. A call waits
 * five seconds for one. PostgreSQL ends a statement after 30 seconds and a transaction that is idle for 30
 * seconds. If no answer arrives at all, the statement fails after 35 seconds and its connection is closed.
 */
export function createPool(
  url: string,
  max: number,
  applicationName: string,
  limits: StatementLimits = usualLimits,
): Pool {
  const pool = new Pool({
    connectionString: url,
    max,
    application_name: applicationName,
    // A request must not hang when the server is lost: it fails, and the caller retries.
    connectionTimeoutMillis: 5_000,
    statement_timeout: limits.statementMs,
    // A server that vanished closes no connection: this limit detects it during a statement, and keep-alive
    // probes while the connection is idle.
    query_timeout: limits.answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    idle_in_transaction_session_timeout: 30_000,
  });
  // A broken connection (a restart of the server) is replaced on the next use. Without listeners its error
  // would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** bigint columns arrive as BigInt, as Prisma gives them: an amount never passes through a float. */
const columnTypes: CustomTypesConfig = {
  getTypeParser: (oid, format) =>
    // pg types the parsers as any; the caller's row type states what a column holds.
    // oxlint-disable-next-line typescript/no-unsafe-return
    oid === types.builtins.INT8
      ? BigInt
      : types.getTypeParser(oid, format === 'binary' ? 'binary' : 'text'),
};

/** Runs a prepared statement and returns its rows. */
export async function rows<R extends QueryResultRow>(
  client: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<R[]> {
  const result = await client.query<R>({
    ...statement,
    values: [...values],
    types: columnTypes,
  });
  return result.rows;
}

/** Runs a prepared statement and returns its first row, or null. */
export async function firstRow<R extends QueryResultRow>(
  client: Queryable,
  statement: Statement,
  values: readonly unknown[],
): Promise<R | null> {
  const [row] = await rows<R>(client, statement, values);
  return row ?? null;
}

type AfterCommit = (pool: Pool) => void;

/** What follows the transaction that a connection has open, if it commits. */
const followers = new WeakMap<PoolClient, Set<AfterCommit>>();

/**
 * Calls `follow` once after the transaction of `inTransaction` that `client` has open has committed, and not
 * at all after a rollback. A process that dies in between never calls it.
 */
export function afterCommit(client: PoolClient, follow: AfterCommit): void {
  const known = followers.get(client);
  if (known === undefined) followers.set(client, new Set([follow]));
  else known.add(follow);
}

/**
 * Runs `work` in one transaction on one connection: commits when it returns, rolls back when it
 * throws. Nothing outside the database may be called in `work`.
 */
export async function inTransaction<T>(
  pool: Pool,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    followers.get(client)?.forEach((follow) => follow(pool));
    return result;
  } catch (error) {
    if (lostConnection(error)) broken = error;
    else {
      await client.query('ROLLBACK').catch((failure: unknown) => {
        broken = failure instanceof Error ? failure : new Error(String(failure));
      });
    }
    throw error;
  } finally {
    followers.delete(client);
    client.release(broken);
  }
}
