import type { PoolClient } from 'pg';
import { rows, type Queryable, type Statement } from '../db/pool.ts';

/**
 * Every task of the worker with its payload. Payloads hold ids only: a job is visible to operators
 * and to logs, so no detail of a payee may travel in one (invariant T2).
 */
export interface Tasks {
  fund_sandbox_wallet: { tenantId: string };
  enroll_bank_account: { tenantId: string; enrollmentId: string };
  disburse_payout: { tenantId: string; payoutId: string };
  apply_provider_event: { provider: string; eventId: string };
  /** With `replay` the delivery is sent again among many, and gives way to the tenant's others. */
  deliver_webhook: { tenantId: string; deliveryId: string; replay?: true };
  /** Null starts with the delivery that is due longest; otherwise, the last one looked at. */
  sweep_webhooks: { after: { nextAttemptAt: string; tenantId: string; id: string } | null };
  reconcile_payouts: Record<string, never>;
  release_payouts: { tenantId: string; beneficiaryId: string };
  /** An operator's orders; `actionId` is the line of ops.action_log that holds one. */
  look_up_payout: { tenantId: string; payoutId: string; actionId: string };
  resolve_payout: { tenantId: string; payoutId: string; actionId: string };
  simulate_payout_event: {
    tenantId: string;
    payoutId: string;
    event:
      | 'acknowledge'
      | 'estimate'
      | 'disburse'
      | 'settle'
      | 'fail'
      | 'return'
      | 'hold'
      | 'release';
  };
  /** Null starts a walk over all ciphertexts; otherwise, how far it has come and what it has done. */
  rotate_keys: {
    pass: {
      column: string;
      after: string[];
      reencrypted: number;
      missed: number;
      unreadable: number;
    } | null;
  };
  write_export: { tenantId: string; exportId: string };
  start_due_exports: Record<string, never>;
  delete_expired: Record<string, never>;
  send_registration_mail: { businessId: string; userId: string };
  send_member_mail: { tenantId: string; invitationId: string };
  send_collection_mail: { tenantId: string; requestId: string };
  expire_collection_requests: Record<string, never>;
}

export type TaskName = keyof Tasks;

export interface JobOptions {
  readonly runAt?: Date;
  /** A second job with the same key replaces the first, unless that one runs already. */
  readonly jobKey?: string;
  /** Of the jobs that are due those with the smaller number run first; 0 where it is absent. */
  readonly priority?: number;
}

const addJob: Statement = {
  name: 'add_job',
  text: `SELECT graphile_worker.add_job($1, $2::json, run_at := $3, job_key := $4, max_attempts := $5, priority := $6) IS NULL AS ignored`,
};

/** A job that keeps failing by a fault of ours is tried for about four hours before operators are called. */
const maxAttempts = 20;

/**
 * Adds a job in the transaction of `client`: it starts after the commit and never after a rollback.
 * It is a statement of its own, since one statement may not mix a tenant table with a function that
 * writes another.
 */
export async function enqueue<T extends TaskName>(
  client: PoolClient,
  task: T,
  payload: Tasks[T],
  options: JobOptions = {},
): Promise<void> {
  await client.query({
    ...addJob,
    values: [
      task,
      JSON.stringify(payload),
      options.runAt ?? null,
      options.jobKey ?? null,
      maxAttempts,
      options.priority ?? null,
    ],
  });
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
 * Adds many jobs of one task in the transaction of `client`, as one statement; none for none. Of the
 * jobs of one call no two may have the same key.
 *
 * @param options those of each payload's job, in the order of the payloads; absent for none
 */
export async function enqueueMany<T extends TaskName>(
  client: PoolClient,
  task: T,
  payloads: readonly Tasks[T][],
  options: readonly JobOptions[] = [],
): Promise<void> {
  if (payloads.length === 0) return;
  const jobs = payloads.map((payload, index) => ({ payload, ...options[index] }));
  await client.query({ ...addJobs, values: [task, JSON.stringify(jobs), maxAttempts] });
}

const liveJobs: Statement = {
  name: 'live_jobs_by_key',
  text: `
    SELECT j.key FROM graphile_worker.jobs j
    WHERE j.key = ANY ($1::text[])
      AND (j.locked_at IS NOT NULL OR (j.attempts < j.max_attempts AND j.run_at < now() + interval '6 minutes'))`,
};

/**
 * Those of the keys under which a job runs or waits. One that gave up, or waits longer than any pause
 * that a command asks for, is as good as none.
 */
export async function findLiveJobKeys(
  client: Queryable,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const live = await rows<{ key: string }>(client, liveJobs, [keys]);
  return new Set(live.map((job) => job.key));
}
