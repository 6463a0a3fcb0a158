import type { Pool } from 'pg';
import { eventually } from './factory.ts';

/**
 * Waits until every worker has beaten twice: the first of the two may have begun before. With each beat a worker
 * learns which tasks are paused, so until then it may still take a job of one.
 */
export async function workersHaveBeaten(pool: Pool): Promise<void> {
  const beats = async () => {
    const { rows } = await pool.query<{ id: string; at: string }>(
      'SELECT id, beat_at::text AS at FROM worker_heartbeat',
    );
    return rows;
  };
  for (let round = 0; round < 2; round += 1) {
    const before = new Map((await beats()).map(({ id, at }) => [id, at]));
    await eventually(async () => (await beats()).every(({ id, at }) => before.get(id) !== at));
  }
}
