import { firstRow, platformStatement } from '../db/pool.ts';
import type { Call } from '../process/services.ts';
import { horizonSql } from './horizon.ts';

const horizon = platformStatement({
  name: 'changes_horizon',
  text: `SELECT least($1::text::timestamptz, h.at)::text AS at FROM ${horizonSql} h`,
});

/**
 * The time up to which changes are read in their order, as text for PostgreSQL: the horizon, or `latest` if
 * that is earlier.
 */
export async function changesHorizon({ services }: Call, latest: string): Promise<string> {
  const found = await firstRow<{ at: string }>(services.pool, horizon, [latest]);
  if (found === null) throw new Error('an aggregate has one row');
  return found.at;
}
