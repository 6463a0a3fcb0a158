import type { Pool, PoolClient } from 'pg';
import { named, namedOfPlatform } from '../db/named.ts';
import { afterCommit, inTransaction, rows, type Queryable } from '../db/pool.ts';
import { withTrace } from '../process/tracing.ts';
import { declarationOf, jobKeyOf, tenantOf, type Payload, type TaskName } from './tasks.ts';
import { wakeRelay } from '../db/wake.ts';

export interface JobOptions {
  readonly runAt?: Date;
  /** Milliseconds until the job is due, by the database's clock, in place of `runAt`. */
  readonly waitMs?: number;
  /** A second job with the same key replaces the first, unless that one runs already. */
  readonly jobKey?: string;
  /** Of the jobs that are due those with the smaller number run first; the task's own where absent. */
  readonly priority?: number;
  /** The tenant in whose outbox the job waits, where its payload names none. */
  readonly tenantId?: string;
}

/** A job as the statements below take it. */
interface JobRow {
  readonly payload: unknown;
  readonly run_at: Date | null;
  readonly wait_ms: number | null;
  readonly job_key: string | null;
  readonly priority: number | null;
}

function rowOf(task: TaskName, payload: unknown, options: JobOptions): JobRow {
  return {
    payload,
    run_at: options.runAt ?? null,
    wait_ms: options.waitMs ?? null,
    job_key: options.jobKey ?? null,
    priority: options.priority ?? declarationOf(task).priority ?? null,
  };
}

/** With graphile-worker's back-off, a job that keeps failing becomes a dead letter after about four hours. */
export const maxAttempts = 20;

/**
 * When a job is due, from its time or its wait; null for at once. A wait is added to the database's clock, since the
 * worker that asks for it may have a wrong one.
 */
const dueSql = (runAt: string, waitMs: string): string =>
  `coalesce(${runAt}, now() + make_interval(secs => ${waitMs} / 1000))`;

const keepJob = named(
  'keep_job',
  ['tenant', 'task', 'payload', 'run_at', 'wait_ms', 'job_key', 'priority'],
  `
    INSERT INTO job_outbox (tenant_id, task, payload, run_at, job_key, priority)
    VALUES (@tenant, @task, @payload, ${dueSql('@run_at::timestamptz', '@wait_ms::float8')}, @job_key, @priority)`,
);

const addJob = namedOfPlatform(
  'add_job',
  ['task', 'payload', 'run_at', 'wait_ms', 'job_key', 'max_attempts', 'priority'],
  `
    SELECT graphile_worker.add_job(@task, @payload::json, run_at := ${dueSql('@run_at::timestamptz', '@wait_ms::float8')}, job_key := @job_key, max_attempts := @max_attempts,
      priority := @priority) IS NULL AS ignored`,
);

/**
 * Adds a job in the transaction of `client`, which is one of `inTransaction`: it starts after the commit and
 * never after a rollback. A tenant's job waits in the outbox until the relay moves it; another one is
 * graphile-worker's at once, in a statement of its own, since one statement may not mix a tenant table with a
 * function that writes another.
 */
export async function enqueue<T extends TaskName>(
  client: PoolClient,
  task: T,
  payload: Payload<T>,
  options: JobOptions = {},
): Promise<void> {
  const tenant = options.tenantId ?? tenantOf(payload);
  const row = { task, ...rowOf(task, JSON.stringify(withTrace(payload)), options) };
  if (tenant === null) {
    await rows(client, addJob, addJob.of({ ...row, max_attempts: maxAttempts }));
    return;
  }
  await rows(client, keepJob, keepJob.of({ ...row, tenant }));
  afterCommit(client, wakeRelay);
}

const keepJobs = named(
  'keep_jobs',
  ['tenant', 'task', 'jobs'],
  `
    INSERT INTO job_outbox (tenant_id, task, payload, run_at, job_key, priority)
    SELECT @tenant, @task, j.payload, ${dueSql('j.run_at', 'j.wait_ms')}, j.job_key, j.priority
    FROM jsonb_to_recordset(@jobs::jsonb)
      AS j (payload jsonb, run_at timestamptz, wait_ms float8, job_key text, priority smallint)`,
);

const addJobs = namedOfPlatform(
  'add_jobs',
  ['task', 'jobs', 'max_attempts'],
  `
    SELECT count(*) FROM graphile_worker.add_jobs(ARRAY(
      SELECT json_populate_record(
        null::graphile_worker.job_spec,
        json_build_object(
          'identifier', @task::text, 'payload', job -> 'payload',
          'run_at', ${dueSql("(job ->> 'run_at')::timestamptz", "(job ->> 'wait_ms')::float8")},
          'job_key', job -> 'job_key', 'max_attempts', @max_attempts::integer, 'priority', job -> 'priority'
        )
      )
      FROM json_array_elements(@jobs::json) AS job
    ))`,
);

/**
 * Adds many jobs of one task in the transaction of `client`, as one statement for each tenant. No two jobs of
 * one call may have the same key.
 *
 * @param options those of each payload's job, in the order of the payloads; absent for none
 */
export async function enqueueMany<T extends TaskName>(
  client: PoolClient,
  task: T,
  payloads: readonly Payload<T>[],
  options: readonly JobOptions[] = [],
): Promise<void> {
  const jobs = payloads.map((payload, index) => ({
    tenant: options[index]?.tenantId ?? tenantOf(payload),
    row: rowOf(task, withTrace(payload), options[index] ?? {}),
  }));
  for (const [tenant, group] of Map.groupBy(jobs, (job) => job.tenant)) {
    const given = JSON.stringify(group.map(({ row }) => row));
    if (tenant === null) {
      await rows(client, addJobs, addJobs.of({ task, jobs: given, max_attempts: maxAttempts }));
    } else {
      await rows(client, keepJobs, keepJobs.of({ tenant, task, jobs: given }));
      afterCommit(client, wakeRelay);
    }
  }
}

/** The longest that a command puts off a job that its subject depends on. */
export const longestWaitMs = 5 * 60_000;

const liveInQueue = `
    SELECT j.key FROM graphile_worker.jobs j
    WHERE j.key = ANY (@keys::text[])
      AND (j.locked_at IS NOT NULL OR (j.attempts < j.max_attempts
        AND j.run_at < now() + interval '${longestWaitMs + 60_000} milliseconds'))`;

const liveJobs = namedOfPlatform(
  'live_jobs_by_key',
  ['tenants', 'keys'],
  `${liveInQueue}
    UNION ALL
    SELECT o.job_key FROM across.job_outbox o
    WHERE o.tenant_id = ANY (@tenants::text[]) AND o.job_key = ANY (@keys::text[])
      AND (o.run_at IS NULL OR o.run_at < now() + interval '${longestWaitMs + 60_000} milliseconds')`,
);

/** Jobs of no tenant wait in no outbox, so Citus need not ask the nodes. */
const liveJobsOfNone = namedOfPlatform('live_jobs_of_no_tenant', ['keys'], liveInQueue);

/**
 * Those of the keys under which a job runs or waits, in the outbox of one of the tenants too. A job that gave
 * up, or that waits for longer than `longestWaitMs`, does not count.
 */
export async function findLiveJobKeys(
  client: Queryable,
  keys: readonly string[],
  tenants: readonly string[] = [],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const live = await (tenants.length === 0
    ? rows<{ key: string }>(client, liveJobsOfNone, liveJobsOfNone.of({ keys }))
    : rows<{ key: string }>(client, liveJobs, liveJobs.of({ tenants, keys })));
  return new Set(live.map((job) => job.key));
}

interface JobOf<T extends TaskName> {
  readonly payload: Payload<T>;
  readonly options?: Omit<JobOptions, 'jobKey'>;
  /** The key of another job that does the same among other things; null or absent for none. */
  readonly sharedKey?: string | null;
}

/**
 * Adds the jobs, each under its task's key, but none whose key, or whose shared key, a live job has. Returns how many
 * it added.
 */
export async function enqueueMissing<T extends TaskName>(
  pool: Pool,
  task: T,
  given: readonly JobOf<T>[],
): Promise<number> {
  const jobs = given.map(({ payload, options, sharedKey = null }) => {
    const jobKey = jobKeyOf(task, payload);
    const keys = sharedKey === null ? [jobKey] : [jobKey, sharedKey];
    return { payload, keys, options: { ...options, jobKey } };
  });
  const live = await findLiveJobKeys(
    pool,
    [...new Set(jobs.flatMap(({ keys }) => keys))],
    [...new Set(jobs.map(({ payload }) => tenantOf(payload)))].filter((tenant) => tenant !== null),
  );
  const missing = jobs.filter(({ keys }) => !keys.some((key) => live.has(key)));
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

const dueJobs = named(
  'due_jobs_by_key',
  ['tenant', 'keys'],
  `
    SELECT j.key FROM (
      SELECT j.key, j.locked_at IS NOT NULL OR (j.attempts < j.max_attempts AND j.run_at <= now()) AS due
      FROM graphile_worker.jobs j WHERE j.key = ANY (@keys::text[])
      UNION ALL
      SELECT o.job_key, o.run_at IS NULL OR o.run_at <= now()
      FROM across.job_outbox o WHERE o.tenant_id = @tenant AND o.job_key = ANY (@keys::text[])
    ) AS j
    GROUP BY j.key HAVING bool_and(j.due)`,
);

/**
 * Makes jobs of one tenant due now, in the transaction of `client`: adds each under its task's key, which replaces
 * one that was put off, but none that is due already or runs.
 */
export async function makeDue<T extends TaskName>(
  client: PoolClient,
  tenant: string,
  task: T,
  payloads: readonly Payload<T>[],
): Promise<void> {
  if (payloads.length === 0) return;
  const late = new Map(payloads.map((payload) => [jobKeyOf(task, payload), payload]));
  const values = dueJobs.of({ tenant, keys: [...late.keys()] });
  for (const { key } of await rows<{ key: string }>(client, dueJobs, values)) late.delete(key);
  const options = [...late.keys()].map((jobKey) => ({ jobKey }));
  await enqueueMany(client, task, [...late.values()], options);
}
