import type { Pool, PoolClient } from 'pg';
import { afterCommit, type Queryable } from '../db/pool.ts';
import { wakeRelay } from '../db/wake.ts';

/** Wakes the relay for a job that a command added over `client`: once it is committed. */
export function wakeAfter(client: Queryable): void {
  if (isOfTransaction(client)) afterCommit(client, wakeRelay);
  else wakeRelay(client);
}

/** A connection is lent for a transaction; a pool commits each statement by itself. */
const isOfTransaction = (client: Pool | PoolClient): client is PoolClient => 'release' in client;
