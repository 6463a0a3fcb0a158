import { namedOfPlatform, type NamedPlatformStatement } from '../../db/named.ts';
import { inTransaction } from '../../db/pool.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { act, ofTenant, type Done } from './act.ts';
import type { OperatorCommand } from './action.ts';
import {
  jobRetry,
  jobSchedule,
  taskOrder,
  type JobRetry,
  type JobSchedule,
  type TaskOrder,
} from './input.ts';

/** A task that was paused or resumed. */
export interface ChangedTask extends Done {
  readonly name: string;
  readonly pausedAt: Date | null;
  readonly pausedBy: string | null;
  /** What else there is to know; null for nothing. */
  readonly note: string | null;
}

const pause = namedOfPlatform(
  'operator_pause_task',
  ['who', 'task', 'reason'],
  `SELECT paused_task AS name, paused_at AS "pausedAt", paused_by AS "pausedBy", note, action_id AS "actionId",
     NULL AS "businessId", NULL AS environment
   FROM ops.pause_task_by(@who, @task, @reason)`,
);

const resume = namedOfPlatform(
  'operator_resume_task',
  ['who', 'task', 'reason'],
  `SELECT resumed_task AS name, NULL AS "pausedAt", NULL AS "pausedBy",
     format('It was paused by %s since %s.', was_paused_by, was_paused_at) AS note, action_id AS "actionId",
     NULL AS "businessId", NULL AS environment
   FROM ops.resume_task_by(@who, @task, @reason)`,
);

function changeTask(
  call: OperatorCall,
  given: TaskOrder,
  command: OperatorCommand,
  statement: NamedPlatformStatement<string>,
): Promise<ChangedTask> {
  const { task, reason } = parseInput(taskOrder, given);
  return inTransaction(call.services.pool, (client) =>
    act(call, client, { command, statement, values: { task }, reason, subjectId: task }),
  );
}

/** Keeps every worker from starting the jobs of a task. Throws validation_failed, not_found for the task. */
export function pauseTask(call: OperatorCall, given: TaskOrder): Promise<ChangedTask> {
  return changeTask(call, given, 'operatorTaskPause', pause);
}

/**
 * Lets the workers start a task's jobs again. Throws validation_failed, not_found for the task, conflict if it is
 * not paused.
 */
export function resumeTask(call: OperatorCall, given: TaskOrder): Promise<ChangedTask> {
  return changeTask(call, given, 'operatorTaskResume', resume);
}

/** A job that was retried or added. */
export interface ChangedJob extends Done {
  /** Null where the worker gets an order instead, which has no number yet. */
  readonly id: string | null;
  readonly task: string;
  readonly subjectId: string | null;
  readonly runsAt: Date;
  readonly note: string | null;
}

const retry = namedOfPlatform(
  'operator_retry_job',
  ['who', 'job', 'reason'],
  `SELECT r.job_id::text AS id, r.task, r.subject_id AS "subjectId", r.runs_at AS "runsAt", nullif(r.note, '') AS note, ${ofTenant}
   FROM ops.retry_job_by(@who, @job::bigint, @reason) r LEFT JOIN tenant t ON t.id = r.tenant_id`,
);

/**
 * Runs a job now that is dead or waits for its next attempt, and resets its attempts. Throws validation_failed,
 * not_found for a job that has ended, conflict while it runs.
 */
export function retryJob(call: OperatorCall, given: JobRetry): Promise<ChangedJob> {
  const { id, reason } = parseInput(jobRetry, given);
  return inTransaction(call.services.pool, (client) =>
    act(call, client, {
      command: 'operatorJobRetry',
      statement: retry,
      values: { job: id },
      reason,
      subjectId: id,
    }),
  );
}

const schedule = namedOfPlatform(
  'operator_schedule_job',
  ['who', 'task', 'subject', 'reason'],
  `SELECT r.job_id::text AS id, r.task_name AS task, r.subject_id AS "subjectId", r.runs_at AS "runsAt", nullif(r.note, '') AS note,
     ${ofTenant}
   FROM ops.schedule_by(@who, @task, @subject, now(), @reason) r LEFT JOIN tenant t ON t.id = r.tenant_id`,
);

/**
 * Adds a job that is missing: a task and the id that it is about, null for a task of the clock. Throws
 * validation_failed for a task that is not added by hand, not_found for the task and the id, conflict where the
 * task does nothing in the state that the id has.
 */
export function scheduleJob(call: OperatorCall, given: JobSchedule): Promise<ChangedJob> {
  const { task, subjectId, reason } = parseInput(jobSchedule, given);
  return inTransaction(call.services.pool, (client) =>
    act(call, client, {
      command: 'operatorJobSchedule',
      statement: schedule,
      values: { task, subject: subjectId ?? null },
      reason,
      subjectId: subjectId ?? task,
    }),
  );
}
