import type { Job } from 'graphile-worker';
import { rows, type Statement } from '../src/db/pool.ts';
import type { Services } from '../src/process/services.ts';

/*
 * graphile-worker forgets a job that has ended; `job_run` remembers it. The rows are written in
 * batches beside the jobs and not with them: one statement for some hundred jobs costs the queue next
 * to nothing. A worker that is killed loses the last quarter of a second of its history and no work.
 */

const flushMs = 250;
const batchSize = 200;
/** What is kept while PostgreSQL is away; of the jobs that end when it is full nothing is. */
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

const insertRuns: Statement = {
  name: 'insert_job_runs',
  text: `
    INSERT INTO job_run (
      worker_id, job_id, task, tenant_id, subject_id, attempt, max_attempts, outcome, error,
      run_at, started_at, ended_at
    )
    SELECT * FROM unnest(
      $1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::integer[], $7::integer[],
      $8::text[], $9::text[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[]
    )`,
};

/** What jobs are about, in the order in which an id names the job best. */
const subjectFields = [
  'payoutId',
  'deliveryId',
  'enrollmentId',
  'exportId',
  'requestId',
  'beneficiaryId',
  'eventId',
  'businessId',
];

/** The tenant and the subject of a job, by the names of its payload's ids; null for what it has not. */
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

function columnsOf(runs: readonly JobRun[]): unknown[] {
  return [
    runs.map((run) => run.workerId),
    runs.map((run) => run.jobId),
    runs.map((run) => run.task),
    runs.map((run) => run.tenantId),
    runs.map((run) => run.subjectId),
    runs.map((run) => run.attempt),
    runs.map((run) => run.maxAttempts),
    runs.map((run) => (run.error === null ? 'succeeded' : 'failed')),
    runs.map((run) => run.error),
    runs.map((run) => run.runAt),
    runs.map((run) => run.startedAt),
    runs.map((run) => run.endedAt),
  ];
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
      log.warn({ message, runs: batch.length }, 'the history of jobs waits for the database');
      return false;
    }
  }

  async function flush(): Promise<void> {
    while (buffer.length > 0) {
      const batch = buffer.slice(0, batchSize);
      if (!(await write(batch))) return; // with the next beat of the timer
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
