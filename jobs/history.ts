import type { Job } from 'graphile-worker';
import { lazily } from '../src/db/lazily.ts';
import { namedOfPlatform } from '../src/db/named.ts';
import { rows } from '../src/db/pool.ts';
import type { Services } from '../src/process/services.ts';

/*
 * graphile-worker deletes a job that has ended; `job_run` keeps a record of it. The rows are written in
 * batches and not in the transactions of the jobs: one statement for some hundred jobs hardly costs
 * anything. A worker that is killed loses the last quarter of a second of its history, and no work.
 */

const flushMs = 250;
const batchSize = 200;
/** How many runs are kept while PostgreSQL is away. Runs that end beyond that are not recorded. */
const longestBuffer = 5_000;

/** How a job ended, as one row of `job_run`. */
export interface JobRun {
  readonly workerId: string;
  readonly jobId: string;
  readonly task: string;
  readonly tenantId: string | null;
  /** The id of what the job is about: a payout, a delivery, an enrollment. */
  readonly subjectId: string | null;
  readonly attempt: number;
  readonly maxAttempts: number;
  /** Null where the job succeeded. */
  readonly error: string | null;
  readonly runAt: Date;
  readonly startedAt: Date;
  readonly endedAt: Date;
}

const insertRuns = namedOfPlatform(
  'insert_job_runs',
  [
    'worker_ids',
    'job_ids',
    'tasks',
    'tenant_ids',
    'subject_ids',
    'attempts',
    'max_attempts',
    'outcomes',
    'errors',
    'run_ats',
    'started_ats',
    'ended_ats',
  ],
  `
    INSERT INTO job_run (
      worker_id, job_id, task, tenant_id, subject_id, attempt, max_attempts, outcome, error,
      run_at, started_at, ended_at
    )
    SELECT r.* FROM unnest(
      @worker_ids::text[], @job_ids::bigint[], @tasks::text[], @tenant_ids::text[], @subject_ids::text[], @attempts::integer[], @max_attempts::integer[],
      @outcomes::text[], @errors::text[], @run_ats::timestamptz[], @started_ats::timestamptz[], @ended_ats::timestamptz[]
    ) AS r, ${lazily}`,
);

/** The ids of a payload, the one that names the job best first. */
export const subjectFields = [
  'payoutId',
  'deliveryId',
  'enrollmentId',
  'exportId',
  'requestId',
  'beneficiaryId',
  'eventId',
  'lineId',
  'fileId',
  'batchId',
  'payoutBatchId',
  'bankAccountId',
  'connectionId',
  'invitationId',
  'businessId',
];

/** The tenant and the subject of a job, found by the names of its payload's ids; null where absent. */
export function subjectOf(payload: unknown): Pick<JobRun, 'tenantId' | 'subjectId'> {
  const ids = (typeof payload === 'object' && payload !== null ? payload : {}) as Record<
    string,
    unknown
  >;
  const text = (field: string | undefined): string | null => {
    const value = field === undefined ? null : ids[field];
    return typeof value === 'string' ? value : null;
  };
  return {
    tenantId: text('tenantId'),
    subjectId: text(subjectFields.find((field) => typeof ids[field] === 'string')),
  };
}

/** The run of a job that has just ended. */
export function runOf(workerId: string, job: Job, startedAt: Date, error: string | null): JobRun {
  return {
    workerId,
    jobId: job.id,
    task: job.task_identifier,
    ...subjectOf(job.payload),
    attempt: job.attempts,
    maxAttempts: job.max_attempts,
    error,
    runAt: job.run_at,
    startedAt,
    endedAt: new Date(),
  };
}

export interface JobHistory {
  record(run: JobRun): void;
  /** Writes what is left and ends. */
  stop(): Promise<void>;
}

function columnsOf(runs: readonly JobRun[]): readonly unknown[] {
  return insertRuns.of({
    worker_ids: runs.map((run) => run.workerId),
    job_ids: runs.map((run) => run.jobId),
    tasks: runs.map((run) => run.task),
    tenant_ids: runs.map((run) => run.tenantId),
    subject_ids: runs.map((run) => run.subjectId),
    attempts: runs.map((run) => run.attempt),
    max_attempts: runs.map((run) => run.maxAttempts),
    outcomes: runs.map((run) => (run.error === null ? 'succeeded' : 'failed')),
    errors: runs.map((run) => run.error),
    run_ats: runs.map((run) => run.runAt),
    started_ats: runs.map((run) => run.startedAt),
    ended_ats: runs.map((run) => run.endedAt),
  });
}

const noHistory: JobHistory = { record: () => undefined, stop: () => Promise.resolve() };

/** Starts the history of this process; with `JOB_HISTORY_DAYS` 0 nothing is written. */
export function startHistory({ pool, log, config }: Services): JobHistory {
  if (config.JOB_HISTORY_DAYS === 0) return noHistory;
  let buffer: JobRun[] = [];
  let writing: Promise<void> | null = null;

  async function write(batch: readonly JobRun[]): Promise<boolean> {
    try {
      await rows(pool, insertRuns, columnsOf(batch));
      return true;
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unknown';
      log.warn(
        { message, runs: batch.length },
        'the history of jobs cannot be written; trying again',
      );
      return false;
    }
  }

  async function flush(): Promise<void> {
    while (buffer.length > 0) {
      const batch = buffer.slice(0, batchSize);
      if (!(await write(batch))) return; // the timer tries again
      buffer = buffer.slice(batch.length);
    }
  }

  function begin(): Promise<void> {
    writing ??= flush().finally(() => {
      writing = null;
    });
    return writing;
  }

  const timer = setInterval(() => void begin(), flushMs);
  return {
    record(run) {
      if (buffer.length >= longestBuffer) return;
      buffer.push(run);
      if (buffer.length >= batchSize) void begin();
    },
    async stop() {
      clearInterval(timer);
      await writing;
      await begin();
    },
  };
}
