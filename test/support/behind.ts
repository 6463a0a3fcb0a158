import { setTimeout as pause } from 'node:timers/promises';
import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../../src/db/pool.ts';
import type { Call } from '../../src/process/services.ts';
import { isWaitedFor } from './waits.ts';

const pollMs = 5;
const longestMs = 20_000;

/**
 * Runs `second` while a transaction that has done `first` is open. It commits once a statement of
 * `second` waits for its locks, or `second` has ended without waiting for it: no pause decides who
 * comes when. Returns what `second` came to.
 *
 * @param then what the transaction still does while `second` waits
 */
export async function behind<T>(
  pool: Pool,
  first: (client: PoolClient) => Promise<unknown>,
  second: () => Promise<T>,
  then?: (client: PoolClient) => Promise<unknown>,
): Promise<T> {
  const { running } = await inTransaction(pool, async (client) => {
    await first(client);
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    const state = { ended: false, running: second() };
    const end = (): void => void (state.ended = true);
    state.running.then(end, end);
    const deadline = Date.now() + longestMs;
    while (!state.ended && !(await isWaitedFor(pool, rows[0]?.pid ?? 0))) {
      if (Date.now() > deadline) throw new Error('it neither ended nor waited');
      await pause(pollMs);
    }
    await then?.(client);
    return state;
  });
  return running;
}

const bounds = new Set(['BEGIN', 'COMMIT', 'ROLLBACK']);

/** The same call within a transaction: what it sends to the pool goes to this connection. */
export function within(call: Call, client: PoolClient): Call {
  const query = (...given: unknown[]): unknown =>
    // A transaction of the call's own is a part of the one that is open.
    typeof given[0] === 'string' && bounds.has(given[0])
      ? Promise.resolve({ rows: [] })
      : Reflect.apply(client.query, client, given);
  // A transaction that begins later puts a `query` of its own before this one, and takes it away again.
  const inside = Object.create(client, { query: { value: query, writable: true } }) as PoolClient;
  const part = Object.create(inside, { release: { value: () => undefined } }) as PoolClient;
  const pool = Object.create(client, {
    // The connection keeps its state in itself: a query on what inherits from it is never answered.
    query: { value: client.query.bind(client) },
    connect: { value: async () => part },
    options: { value: call.services.pool.options },
  }) as Pool;
  return { ...call, services: { ...call.services, pool } };
}
