import type { Pool, PoolClient } from 'pg';
import { named } from '../db/named.ts';
import { inTransaction, rows, type Queryable, type Statement } from '../db/pool.ts';
import { withTrace } from '../process/tracing.ts';
import { declarationOf, jobKeyOf, type Payload, type TaskName } from './tasks.ts';

export interface JobOptions {
  readonly runAt?: Date;
  /** A second job with the same key replaces the first, unless that one runs already. */
  readonly jobKey?: string;
  /** Of the jobs that are due those with the smaller number run first; the task's own where absent. */
  readonly priority?: number;
}

const addJob = named(
  'add_job',
  ['task', 'payload', 'run_at', 'job_key', 'max_attempts', 'priority'],
  `
    SELECT graphile_worker.add_job(@task, @payload::json, run_at := @run_at, job_key := @job_key, max_attempts := @max_attempts,
      priority := @priority) IS NULL AS ignored`,
);

/** With graphile-worker's back-off, a job that keeps failing becomes a dead letter after about four hours. */
const maxAttempts = 20;

/**
 * Adds a job in the transaction of `client`: it starts after the commit and never after a rollback.
 * It is a statement of its own, since one statement may not mix a tenant table with a function that
 * writes another.
 */
export async function enqueue<T extends TaskName>(
  client: PoolClient,
  task: T,
  payload: Payload<T>,
  options: JobOptions = {},
): Promise<void> {
  const values = addJob.of({
    task,
    payload: JSON.stringify(withTrace(payload)),
    run_at: options.runAt ?? null,
    job_key: options.jobKey ?? null,
    max_attempts: maxAttempts,
    priority: options.priority ?? declarationOf(task).priority ?? null,
  });
  await rows(client, addJob, values);
}

const addJobs: Statement = {
  name: 'add_jobs',
  text: `
    SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
      SELECT json_populate_record(
        null::graphile_worker.job_spec,
        json_build_object(
          'identifier', $1::text, 'payload', job -> 'payload', 'run_at', job -> 'runAt',
          'job_key', job -> 'jobKey', 'max_attempts', $3::integer, 'priority', job -> 'priority'
        )
      )
      FROM json_array_elements($2::json) AS job
    ))`,
};

/**
 * Adds many jobs of one task in the transaction of `client`, as one statement. No two jobs of one call
 * may have the same key.
 *
 * @param options those of each payload's job, in the order of the payloads; absent for none
 */
export async function enqueueMany<T extends TaskName>(
  client: PoolClient,
  task: T,
  payloads: readonly Payload<T>[],
  options: readonly JobOptions[] = [],
): Promise<void> {
  if (payloads.length === 0) return;
  const { priority } = declarationOf(task);
  const jobs = payloads.map((payload, index) => ({
    payload: withTrace(payload),
    priority,
    ...options[index],
  }));
  await client.query({ ...addJobs, values: [task, JSON.stringify(jobs), maxAttempts] });
}

/** The longest that a command puts off a job that its subject depends on. */
export const longestWaitMs = 5 * 60_000;

const liveJobs: Statement = {
  name: 'live_jobs_by_key',
  text: `
    SELECT j.key FROM graphile_worker.jobs j
    WHERE j.key = ANY ($1::text[])
      AND (j.locked_at IS NOT NULL OR (j.attempts < j.max_attempts
        AND j.run_at < now() + interval '${longestWaitMs + 60_000} milliseconds'))`,
};

/**
 * Those of the keys under which a job runs or waits. A job that gave up, or that waits for longer than
 * `longestWaitMs`, does not count.
 */
export async function findLiveJobKeys(
  client: Queryable,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const live = await rows<{ key: string }>(client, liveJobs, [keys]);
  return new Set(live.map((job) => job.key));
}

interface JobOf<T extends TaskName> {
  readonly payload: Payload<T>;
  readonly options?: Omit<JobOptions, 'jobKey'>;
}

/**
 * Adds the jobs, each under its task's key, but none whose key a live job has. Returns how many it
 * added.
 */
export async function enqueueMissing<T extends TaskName>(
  pool: Pool,
  task: T,
  given: readonly JobOf<T>[],
): Promise<number> {
  const jobs = given.map(({ payload, options }) => {
    const jobKey = jobKeyOf(task, payload);
    return { payload, jobKey, options: { ...options, jobKey } };
  });
  const live = await findLiveJobKeys(
    pool,
    jobs.map(({ jobKey }) => jobKey),
  );
  const missing = jobs.filter(({ jobKey }) => !live.has(jobKey));
  if (missing.length === 0) return 0;
  await inTransaction(pool, (client) =>
    enqueueMany(
      client,
      task,
      missing.map(({ payload }) => payload),
      missing.map(({ options }) => options),
    ),
  );
  return missing.length;
}
