import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { namedOfPlatform } from '../src/db/named.ts';
import { firstRow, platformStatement, rows, type PlatformStatement } from '../src/db/pool.ts';
import type { Services } from '../src/process/services.ts';

/*
 * graphile-worker frees the jobs of a killed worker only after four hours. So each worker writes a
 * heartbeat, looks for workers whose heartbeat stopped, and gives their jobs back.
 */

/**
 * A worker that is slow but not dead keeps its jobs. Others judge it by `ops.lives`, which has the same number and
 * takes the time between two beats from the worker's own row: workers may have different settings.
 */
const missedBeats = 4;

/** How long the statements that end the last jobs may take, in looks, until the jobs are given back. */
const looksForHeld = 4;
const betweenLooksMs = 250;

/** Pause before a worker that ends tries again to give its jobs back. */
const againMs = 500;

/** A search through all jobs costs more than a beat. With the usual beat it is made once a minute, as is one in the schedule. */
const beatsBetweenSearches = 12;

/**
 * Writes that the worker lives, its circuits and when the next beat is due, and what SQL has to know of the
 * settings; returns the paused tasks. While workers differ, the installation has two operators: one that says so
 * repeats it at each beat, and one that denies it is heard once the others are silent, the slowest of them too.
 */
const beat = namedOfPlatform(
  'worker_beat',
  ['worker', 'pool', 'host', 'pid', 'circuits', 'beat_ms', 'silence_ms', 'second_operator'],
  `
    WITH beaten AS (
      INSERT INTO worker_heartbeat (id, pool_id, hostname, pid, circuits, beat_ms)
      VALUES (@worker, @pool, @host, @pid, @circuits, @beat_ms)
      ON CONFLICT (id) DO UPDATE SET beat_at = now(), circuits = excluded.circuits
    ), silent AS (
      SELECT now() - greatest(make_interval(secs => @silence_ms / 1000.0), ops.worker_silence()) AS since
    ), noted AS (
      INSERT INTO installation AS i (second_operator) SELECT @second_operator::boolean
      WHERE NOT EXISTS (
        SELECT 1 FROM installation o
        WHERE CASE
          WHEN @second_operator THEN o.second_operator AND o.noted_at > now() - make_interval(secs => @beat_ms / 1000.0)
          ELSE NOT o.second_operator OR o.noted_at > (SELECT since FROM silent)
        END
      )
      ON CONFLICT (one) DO UPDATE SET second_operator = excluded.second_operator, noted_at = now()
      WHERE excluded.second_operator OR i.noted_at <= (SELECT since FROM silent)
    )
    SELECT task FROM paused_task`,
);

const pausedTasks = platformStatement({
  name: 'paused_tasks',
  text: 'SELECT task FROM paused_task',
});

/**
 * Gives back the jobs of the workers `w` that `which` chooses. The runs that they had under way get a row in the
 * history, unless $1 is false; `error` says why they have no end of their own.
 */
const releaseText = (which: string, error: string): string => `
    WITH dead AS (
      DELETE FROM worker_heartbeat w WHERE ${which} RETURNING id, pool_id
    ), broken_off AS (
      INSERT INTO job_run (
        job_id, task, attempt, max_attempts, outcome, error, worker_id, run_at, started_at, ended_at
      )
      SELECT j.id, j.task_identifier, j.attempts, j.max_attempts, 'failed',
        '${error}, and the job was given back', dead.id, j.run_at, j.locked_at, now()
      FROM dead JOIN graphile_worker.jobs j ON j.locked_by = dead.pool_id
      WHERE $1::boolean
    ), pools AS (
      SELECT array_agg(pool_id) AS ids FROM dead
    )
    SELECT ids, graphile_worker.force_unlock_workers(ids) FROM pools WHERE ids IS NOT NULL`;

const releaseDead = platformStatement({
  name: 'worker_release_dead',
  text: releaseText('NOT ops.lives(w)', 'the worker died or stopped responding'),
});

const releaseOwn = platformStatement({
  name: 'worker_release_own',
  text: releaseText('w.id = $2', 'its end could not be recorded'),
});

/**
 * A worker that was killed before its first beat: no heartbeat names the pool that locked the jobs, nor how often
 * its worker beats. So it gets the time of the slowest.
 */
const releaseUnknown = platformStatement({
  name: 'worker_release_unknown',
  text: `
    WITH pools AS (
      SELECT array_agg(DISTINCT j.locked_by) AS ids FROM graphile_worker.jobs j
      WHERE j.locked_at < now() - ops.worker_silence()
        AND NOT EXISTS (SELECT 1 FROM worker_heartbeat w WHERE w.pool_id = j.locked_by)
    )
    SELECT ids, graphile_worker.force_unlock_workers(ids) FROM pools WHERE ids IS NOT NULL`,
});

const heldJobs = platformStatement({
  name: 'worker_held_jobs',
  text: 'SELECT count(*)::integer AS held FROM graphile_worker.jobs WHERE locked_by = $1',
});

const pullBackSchedules = platformStatement({
  name: 'pull_back_schedules',
  text: 'SELECT task FROM ops.pull_back_schedules()',
});

const holder = platformStatement({
  name: 'job_holder',
  text: 'SELECT locked_by AS "poolId" FROM graphile_worker.jobs WHERE id = $1',
});

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
  /**
   * The worker ended, and nothing works on a job of it: gives back those that it still holds, and stops.
   * Tries again until the database takes that, or `hurried`.
   */
  giveBack(hurried: AbortSignal): Promise<void>;
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

  async function release(statement: PlatformStatement, values: readonly unknown[]): Promise<void> {
    const dead = await firstRow<{ ids: string[] }>(pool, statement, values);
    if (dead !== null) log.warn({ pools: dead.ids }, 'released the jobs of dead workers');
  }

  /** A worker whose clock was ahead has kept all others from running the schedule. */
  async function pullBack(): Promise<void> {
    const found = await rows<{ task: string }>(pool, pullBackSchedules, []);
    if (found.length === 0) return;
    log.error({ tasks: found.map(({ task }) => task) }, 'took back starts that lay in the future');
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
      silence_ms: longestSilence,
      second_operator: config.OPERATOR_CONFIRMATION === 'second_person',
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
      await services.clock.ask(pool);
      await release(releaseDead, [config.JOB_HISTORY_DAYS > 0]);
      if (beats % beatsBetweenSearches === 0) {
        await release(releaseUnknown, []);
        await pullBack();
      }
      beats += 1;
    } catch (error) {
      // The next beat tries again; without the database no job runs anyway.
      log.warn({ message: error instanceof Error ? error.message : 'unknown' }, 'heartbeat failed');
    }
  }

  /** Gives back what is still held, once the statements that end the last jobs had their time. */
  async function releaseHeld(): Promise<boolean> {
    for (let looks = 1; looks <= looksForHeld; looks += 1) {
      const found = await firstRow<{ held: number }>(pool, heldJobs, [await poolId]);
      if (found?.held === 0) break;
      await pause(betweenLooksMs);
    }
    await rows(pool, releaseOwn, [config.JOB_HISTORY_DAYS > 0, id]);
    return true;
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
    async giveBack(hurried) {
      // A beat after the release would bring the worker back to life.
      clearInterval(timer);
      await pending;
      while (!(await releaseHeld().catch(() => hurried.aborted))) {
        await pause(againMs, undefined, { signal: hurried }).catch(() => undefined);
      }
    },
  };
}
