import type { Pool, PoolClient } from 'pg';
import { DatabaseAway } from '../src/db/line.ts';

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
    return new Promise((resolve, reject) => {
      lendTo((error, client) => {
        if (client === undefined) reject(error ?? new DatabaseAway('no connection'));
        else resolve(client);
      });
    });
  }

  return {
    // The pool's own `query` calls `connect`.
    pool: Object.create(pool, { connect: { value: connect } }) as Pool,
    close() {
      closed = true;
    },
  };
}
