import type { Pool } from 'pg';
import { expect } from 'vitest';
import { conditionMs } from './patience.ts';
import { sessionsWaiting } from './waits.ts';

/** Until so many sessions of the database wait for a lock. */
export async function sessionsWait(pool: Pool, count: number): Promise<void> {
  await expect
    .poll(() => sessionsWaiting(pool), { timeout: conditionMs })
    .toBeGreaterThanOrEqual(count);
}
