import { createPool, inTransaction, rows } from '../../db/pool.ts';
import { acrossNodes } from '../../db/reach.ts';
import { reachedReading, storedReading, type StoredValue } from './stored-reading.ts';

/** What the metrics read from the database. */
export interface Stored {
  /** The values of now; null if the database does not answer within three seconds. Never throws. */
  read(): Promise<readonly StoredValue[] | null>;
  close(): Promise<void>;
}

/** Scrapes that come within a second of each other share one reading. */
const sharedMs = 1_000;
const statementMs = 2_000;
const answerMs = 2_500;
const longestMs = 3_000;

/**
 * Reads on a connection of its own, since the metrics are wanted most when the pool is exhausted. The
 * connection is closed when it has been idle for ten seconds.
 */
export function createStored(databaseUrl: string, processName: string): Stored {
  const pool = createPool(databaseUrl, 1, `payouts-${processName}-metrics`, answerMs);
  let latest: {
    readonly at: number;
    readonly values: Promise<readonly StoredValue[] | null>;
  } | null = null;

  async function ask(): Promise<readonly StoredValue[] | null> {
    const late = Promise.withResolvers<null>();
    const timer = setTimeout(() => late.resolve(null), longestMs);
    const asked = acrossNodes(pool, (reach) =>
      inTransaction(pool, async (client) => {
        await client.query(`SET LOCAL statement_timeout = ${statementMs}`);
        return reach === null
          ? rows<StoredValue & Record<string, unknown>>(client, storedReading, [])
          : rows<StoredValue & Record<string, unknown>>(client, reachedReading, [reach.tenants]);
      }),
    );
    try {
      return await Promise.race([asked.catch(() => null), late.promise]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    read() {
      const now = performance.now();
      if (latest === null || now - latest.at > sharedMs) latest = { at: now, values: ask() };
      return latest.values;
    },
    close: () => pool.end(),
  };
}
