import type { Pool, PoolClient, QueryConfig } from 'pg';
import { DatabaseAway } from '../src/db/line.ts';
import { sendTogether, type QueueStatement } from './queue-statements.ts';

/** The pool as one run of graphile-worker sees it. */
interface QueuePool {
  readonly pool: Pool;
  /** Lends the run no further connection. */
  close(): void;
}

type Lend = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/** What graphile-worker uses of a connection that it borrows for some statements. */
interface Borrowed {
  query(statement: string | QueryConfig, values?: unknown[]): Promise<unknown>;
  release(): Promise<void>;
}

/** A connection that is taken from the pool for the first statement that is not sent together with others. */
function borrow(pool: Pool, connect: () => Promise<PoolClient>): Borrowed {
  let own: Promise<PoolClient> | null = null;
  return {
    async query(statement, values) {
      const together = isPrepared(statement) ? sendTogether(pool, statement) : null;
      if (together !== null) return together;
      own ??= connect();
      return (await own).query(statement, values);
    },
    async release() {
      const client = await own?.catch(() => null);
      client?.release();
    },
  };
}

const isPrepared = (statement: string | QueryConfig): statement is QueryConfig & QueueStatement =>
  typeof statement !== 'string' && statement.name !== undefined && statement.values !== undefined;

/**
 * Lends the connections of `pool` until it is closed: a run that ended must not take a job when a statement of
 * its own, which was to be repeated, is repeated after all. Each failure to connect is told as DatabaseAway,
 * which has no code: for some codes graphile-worker waits, three seconds at first and two minutes later, and
 * would do nothing meanwhile.
 */
export function queuePool(pool: Pool): QueuePool {
  let closed = false;

  function lendTo(lend: Lend): void {
    if (closed) {
      lend(new DatabaseAway('this run has ended'), undefined, () => undefined);
      return;
    }
    pool.connect((error, client, release) => {
      lend(error === undefined ? undefined : new DatabaseAway(error.message), client, release);
    });
  }

  function connect(lend?: Lend): Promise<PoolClient> | undefined {
    if (lend !== undefined) {
      lendTo(lend);
      return undefined;
    }
    return Promise.resolve(borrow(lending, connectNow) as unknown as PoolClient);
  }

  const connectNow = (): Promise<PoolClient> =>
    new Promise((resolve, reject) => {
      lendTo((error, client) => {
        if (client === undefined) reject(error ?? new DatabaseAway('no connection'));
        else resolve(client);
      });
    });

  // The pool's own `query` calls `connect` with a callback.
  const lending = Object.create(pool, { connect: { value: connect } }) as Pool;
  return {
    pool: lending,
    close() {
      closed = true;
    },
  };
}
