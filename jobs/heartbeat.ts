import { hostname } from 'node:os';
import { named } from '../src/db/named.ts';
import { firstRow, rows, type Statement } from '../src/db/pool.ts';
import type { Services } from '../src/process/services.ts';

/*
 * graphile-worker frees the jobs of a killed worker only after four hours. So each worker writes a
 * heartbeat, looks for workers whose heartbeat stopped, and gives their jobs back.
 */

/** A worker that is slow but not dead keeps its jobs; `ops.lives` has the same number. */
const missedBeats = 4;

/** A search through all jobs costs more than a beat. With the usual beat it is made once a minute. */
const beatsBetweenSearches = 12;

/** Writes that the worker lives, its circuits and when the next beat is due; returns the paused tasks. */
const beat = named(
  'worker_beat',
  ['worker', 'pool', 'host', 'pid', 'circuits', 'beat_ms'],
  `
    WITH beaten AS (
      INSERT INTO worker_heartbeat (id, pool_id, hostname, pid, circuits, beat_ms)
      VALUES (@worker, @pool, @host, @pid, @circuits, @beat_ms)
      ON CONFLICT (id) DO UPDATE SET beat_at = now(), circuits = excluded.circuits
    )
    SELECT task FROM paused_task`,
);

const pausedTasks: Statement = { name: 'paused_tasks', text: 'SELECT task FROM paused_task' };

/** The runs that a dead worker had under way get a row in the history. */
const releaseDead: Statement = {
  name: 'worker_release_dead',
  text: `
    WITH dead AS (
      DELETE FROM worker_heartbeat
      WHERE beat_at < now() - make_interval(secs => $1::double precision / 1000)
      RETURNING id, pool_id
    ), broken_off AS (
      INSERT INTO job_run (
        job_id, task, attempt, max_attempts, outcome, error, worker_id, run_at, started_at, ended_at
      )
      SELECT j.id, j.task_identifier, j.attempts, j.max_attempts, 'failed',
        'the worker died or stopped responding, and the job was given back', dead.id, j.run_at, j.locked_at, now()
      FROM dead JOIN graphile_worker.jobs j ON j.locked_by = dead.pool_id
      WHERE $2::boolean
    ), pools AS (
      SELECT array_agg(pool_id) AS ids FROM dead
    )
    SELECT ids, graphile_worker.force_unlock_workers(ids) FROM pools WHERE ids IS NOT NULL`,
};

/** A worker that was killed before its first beat: no heartbeat names the pool that locked the jobs. */
const releaseUnknown: Statement = {
  name: 'worker_release_unknown',
  text: `
    WITH pools AS (
      SELECT array_agg(DISTINCT j.locked_by) AS ids FROM graphile_worker.jobs j
      WHERE j.locked_at < now() - make_interval(secs => $1::double precision / 1000)
        AND NOT EXISTS (SELECT 1 FROM worker_heartbeat w WHERE w.pool_id = j.locked_by)
    )
    SELECT ids, graphile_worker.force_unlock_workers(ids) FROM pools WHERE ids IS NOT NULL`,
};

const endBeat: Statement = {
  name: 'worker_end_beat',
  text: 'DELETE FROM worker_heartbeat WHERE id = $1',
};

const holder: Statement = {
  name: 'job_holder',
  text: 'SELECT locked_by AS "poolId" FROM graphile_worker.jobs WHERE id = $1',
};

/** Names of the tasks that are paused. */
export async function readPausedTasks({ pool }: Services): Promise<ReadonlySet<string>> {
  const paused = await rows<{ task: string }>(pool, pausedTasks, []);
  return new Set(paused.map(({ task }) => task));
}

export interface WorkerIdentity {
  /** Id of the worker, as in `worker_heartbeat` and `job_run`. */
  readonly id: string;
  /** Id of graphile-worker's pool, which locks the jobs. */
  readonly poolId: Promise<string>;
}

export interface Heartbeat {
  /**
   * Whether a job that was begun at `startedAt` (milliseconds of `Date.now()`) is still this worker's.
   * A process that a signal or its host stopped for a while was taken for dead, and its jobs were
   * given to others.
   */
  holds(jobId: string, startedAt: number): Promise<boolean>;
  /** The worker ended and holds no job. */
  stop(): Promise<void>;
  /** The worker broke off. Without a heartbeat, another worker gives its jobs back. */
  fallSilent(): void;
}

/**
 * Starts the heartbeat of a worker; resolves after the first beat.
 * @param onPaused is told with each beat which tasks are paused
 */
export async function startHeartbeat(
  services: Services,
  { id, poolId }: WorkerIdentity,
  onPaused: (tasks: ReadonlySet<string>) => void,
): Promise<Heartbeat> {
  const { pool, log, config, providers } = services;
  const beatMs = config.WORKER_HEARTBEAT_MS;
  const longestSilence = missedBeats * beatMs;

  let beats = 0;
  let lastBeat = Date.now();
  /** When the last silence ended that was long enough for others to take the worker for dead. */
  let silenceEnded = 0;

  async function release(statement: Statement, more: readonly unknown[]): Promise<void> {
    const dead = await firstRow<{ ids: string[] }>(pool, statement, [longestSilence, ...more]);
    if (dead !== null) log.warn({ pools: dead.ids }, 'released the jobs of dead workers');
  }

  async function say(): Promise<void> {
    const circuits = JSON.stringify(providers.circuits());
    const values = beat.of({
      worker: id,
      pool: await poolId,
      host: hostname(),
      pid: process.pid,
      circuits,
      beat_ms: beatMs,
    });
    const paused = await rows<{ task: string }>(pool, beat, values);
    const now = Date.now();
    if (now - lastBeat > longestSilence) silenceEnded = now;
    lastBeat = now;
    onPaused(new Set(paused.map(({ task }) => task)));
  }

  async function once(): Promise<void> {
    try {
      await say();
      await release(releaseDead, [config.JOB_HISTORY_DAYS > 0]);
      if (beats % beatsBetweenSearches === 0) await release(releaseUnknown, []);
      beats += 1;
    } catch (error) {
      // The next beat tries again; without the database no job runs anyway.
      log.warn({ message: error instanceof Error ? error.message : 'unknown' }, 'heartbeat failed');
    }
  }

  await once();
  let pending = Promise.resolve();
  const timer = setInterval(() => {
    pending = pending.then(once);
  }, beatMs);
  return {
    async holds(jobId, startedAt) {
      const silent = Date.now() - lastBeat > longestSilence || silenceEnded >= startedAt;
      if (!silent) return true;
      const job = await firstRow<{ poolId: string | null }>(pool, holder, [jobId]);
      return job?.poolId === (await poolId);
    },
    async stop() {
      clearInterval(timer);
      await pending;
      await rows(pool, endBeat, [id]).catch(() => undefined);
    },
    fallSilent: () => clearInterval(timer),
  };
}
