import type { Pool, PoolClient } from 'pg';

/** Rows that the transactions of a pool have read, by table, with an index and without. */
export interface RowsRead {
  readonly pool: Pool;
  readonly most: ReadonlyMap<string, number>;
}

const readSoFar = `
  SELECT relname AS table, (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer AS count
  FROM pg_stat_xact_user_tables WHERE seq_tup_read + coalesce(idx_tup_fetch, 0) > 0`;

/** A pool that counts, at the end of each transaction, how many rows that has read; it keeps the most. */
export function countingRows(pool: Pool): RowsRead {
  const most = new Map<string, number>();

  async function count(client: PoolClient): Promise<void> {
    const { rows } = await client.query<{ table: string; count: number }>(readSoFar);
    for (const row of rows) most.set(row.table, Math.max(row.count, most.get(row.table) ?? 0));
  }

  const counted = (client: PoolClient): PoolClient =>
    new Proxy(client, {
      get(target, key) {
        if (key !== 'query') {
          const value: unknown = Reflect.get(target, key);
          return typeof value === 'function' ? (value.bind(target) as unknown) : value;
        }
        return async (...given: Parameters<PoolClient['query']>) => {
          if ((given[0] as unknown) === 'COMMIT') await count(target);
          return target.query(...given);
        };
      },
    });

  const counting = new Proxy(pool, {
    get(target, key) {
      if (key === 'connect') return async () => counted(await target.connect());
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { pool: counting, most };
}
