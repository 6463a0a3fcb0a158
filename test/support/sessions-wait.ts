import type { Pool } from 'pg';
import { expect } from 'vitest';
import { conditionMs } from './patience.ts';

/** Until so many sessions of the database wait for a lock. */
export async function sessionsWait(pool: Pool, count: number): Promise<void> {
  const waiting = `SELECT 1 FROM pg_stat_activity
    WHERE datname = current_database() AND wait_event_type = 'Lock'`;
  await expect
    .poll(async () => (await pool.query(waiting)).rows.length, { timeout: conditionMs })
    .toBeGreaterThanOrEqual(count);
}
