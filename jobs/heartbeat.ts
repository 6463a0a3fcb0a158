import { hostname } from 'node:os';
import { firstRow, rows, type Statement } from '../src/db/pool.ts';
import { newId } from '../src/ids.ts';
import type { Services } from '../src/services.ts';

/**
 * graphile-worker frees the jobs of a killed worker only after four hours. So each worker says that
 * it lives, and each looks for those that stopped saying so and gives their jobs back.
 */
const missedBeats = 4; // a worker that is slow, not dead, keeps its jobs

/** Looking through all jobs costs more than a beat: every twelfth time, with the usual beat once a minute. */
const beatsBetweenSearches = 12;

const beat: Statement = {
  name: 'worker_beat',
  text: `
    INSERT INTO worker_heartbeat (id, pool_id, hostname, pid) VALUES ($1, $2, $3, $4)
    ON CONFLICT (id) DO UPDATE SET beat_at = now()`,
};

const releaseDead: Statement = {
  name: 'worker_release_dead',
  text: `
    WITH dead AS (
      DELETE FROM worker_heartbeat
      WHERE beat_at < now() - make_interval(secs => $1::double precision / 1000)
      RETURNING pool_id
    ), pools AS (
      SELECT array_agg(pool_id) AS ids FROM dead
    )
    SELECT ids, graphile_worker.force_unlock_workers(ids) FROM pools WHERE ids IS NOT NULL`,
};

/** A worker that was killed before its first beat: its pool, which locked the jobs, is known to nobody. */
const releaseUnknown: Statement = {
  name: 'worker_release_unknown',
  text: `
    WITH pools AS (
      SELECT array_agg(DISTINCT j.locked_by) AS ids FROM graphile_worker.jobs j
      WHERE j.locked_at < now() - make_interval(secs => $1::double precision / 1000)
        AND NOT EXISTS (SELECT FROM worker_heartbeat w WHERE w.pool_id = j.locked_by)
    )
    SELECT ids, graphile_worker.force_unlock_workers(ids) FROM pools WHERE ids IS NOT NULL`,
};

const endBeat: Statement = {
  name: 'worker_end_beat',
  text: 'DELETE FROM worker_heartbeat WHERE id = $1',
};

export interface Heartbeat {
  /** The worker ended and holds no job. */
  stop(): Promise<void>;
  /** The worker broke off: silence is what gives its jobs back. */
  fallSilent(): void;
}

/** Starts the heartbeat of a worker pool; resolves after the first beat. */
export async function startHeartbeat(services: Services, poolId: string): Promise<Heartbeat> {
  const { pool, log, config } = services;
  const beatMs = config.WORKER_HEARTBEAT_MS;
  const id = newId('worker');

  let beats = 0;

  async function release(statement: Statement): Promise<void> {
    const dead = await firstRow<{ ids: string[] }>(pool, statement, [missedBeats * beatMs]);
    if (dead !== null) log.warn({ pools: dead.ids }, 'gave the jobs of dead workers back');
  }

  async function once(): Promise<void> {
    try {
      await rows(pool, beat, [id, poolId, hostname(), process.pid]);
      await release(releaseDead);
      if (beats % beatsBetweenSearches === 0) await release(releaseUnknown);
      beats += 1;
    } catch (error) {
      // A lost database is retried with the next beat; the jobs wait for it anyway.
      log.warn({ message: error instanceof Error ? error.message : 'unknown' }, 'heartbeat failed');
    }
  }

  await once();
  let pending = Promise.resolve();
  const timer = setInterval(() => {
    pending = pending.then(once);
  }, beatMs);
  return {
    async stop() {
      clearInterval(timer);
      await pending;
      await rows(pool, endBeat, [id]).catch(() => undefined);
    },
    fallSilent: () => clearInterval(timer),
  };
}
