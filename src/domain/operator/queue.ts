import { namedOfPlatform } from '../../db/named.ts';
import type { OperatorCall } from '../../process/services.ts';
import { readList, tenantColumns, type OfTenantOrNone, type OperatorPage } from './list.ts';

/** Jobs, and runs that have ended, that are counted at most: an incident may leave many more. */
export const countedJobs = 10_000;

/** A task of the worker and how its jobs fare. */
export interface TaskHealth {
  readonly name: string;
  readonly description: string;
  /** Cron expression in UTC; null for a task without a clock. */
  readonly clock: string | null;
  readonly pausedAt: Date | null;
  readonly pausedBy: string | null;
  readonly pauseReason: string | null;
  readonly ready: number;
  readonly oldestReadySeconds: number | null;
  readonly scheduled: number;
  readonly retrying: number;
  readonly running: number;
  readonly dead: number;
  readonly runsPerMinute: number;
  readonly failedLately: number;
  readonly p95Ms: number | null;
}

const tasks = namedOfPlatform(
  'operator_tasks',
  ['most'],
  `
    SELECT name, description, clock, paused_at AS "pausedAt", paused_by AS "pausedBy", pause_reason AS "pauseReason",
      ready::integer, oldest_ready_seconds AS "oldestReadySeconds", scheduled::integer, retrying::integer, running::integer,
      dead::integer, runs_per_minute::float8 AS "runsPerMinute", failed_15m::integer AS "failedLately", p95_ms AS "p95Ms"
    FROM ops.tasks_page(@most)`,
);

/** Every task of the worker, by name. */
export function listTasks(call: OperatorCall): Promise<TaskHealth[]> {
  return readList(call, tasks, { most: countedJobs });
}

/** A job that has not ended. */
export interface QueuedJob extends OfTenantOrNone {
  readonly id: string;
  readonly task: string;
  readonly subjectId: string | null;
  readonly state: 'ready' | 'scheduled' | 'retrying' | 'running' | 'paused' | 'dead';
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly runAt: Date;
  readonly lastError: string | null;
  readonly createdAt: Date;
  readonly takenBy: string | null;
}

/** What jobs are chosen by; null for any. */
export interface JobChoice {
  readonly task: string | null;
  readonly subjectId: string | null;
  readonly state: QueuedJob['state'] | null;
}

const jobs = namedOfPlatform(
  'operator_jobs',
  ['business', 'task', 'subject', 'state', 'before', 'take'],
  `
    SELECT id::text AS id, task, ${tenantColumns}, subject_id AS "subjectId", state, attempts, max_attempts AS "maxAttempts", run_at AS "runAt",
      last_error AS "lastError", created_at AS "createdAt", taken_by AS "takenBy"
    FROM ops.jobs_page(@business, @task, @subject, @state, @before::bigint, @take)`,
);

/** The jobs of ops.jobs that have a number, the newest first. */
export function listJobs(
  call: OperatorCall,
  { task, subjectId: subject, state }: JobChoice,
  { businessId: business, after: before, take }: OperatorPage,
): Promise<QueuedJob[]> {
  return readList(call, jobs, { business, task, subject, state, before, take });
}

/** A process that runs jobs, or one that holds some and tells nothing of itself. */
export interface ListedWorker {
  readonly id: string;
  readonly alive: boolean;
  readonly silentSeconds: number | null;
  readonly jobsHeld: number;
  readonly oldestHeldSince: Date | null;
  readonly hostname: string | null;
  readonly startedAt: Date | null;
}

const workers = namedOfPlatform(
  'operator_workers',
  [],
  `
    SELECT worker_id AS id, alive, silent_seconds AS "silentSeconds", jobs_held::integer AS "jobsHeld",
      oldest_held_since AS "oldestHeldSince", hostname, started_at AS "startedAt"
    FROM ops.workers_page()`,
);

/** The workers, at most 100, those first that were started last. */
export function listWorkers(call: OperatorCall): Promise<ListedWorker[]> {
  return readList(call, workers, {});
}
