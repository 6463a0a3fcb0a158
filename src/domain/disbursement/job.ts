import type { PoolClient } from 'pg';
import { createGather } from '../../db/gather.ts';
import { inTransaction } from '../../db/pool.ts';
import { enqueue, enqueueMany, type JobOptions } from '../../queue/queue.ts';
import { jobKeyOf, type Payload } from '../../queue/tasks.ts';
import type { Call } from '../../process/services.ts';
import { withTrace } from '../../process/tracing.ts';

interface DisbursementJob {
  readonly payload: Payload<'disburse_payout'>;
  readonly options: JobOptions;
}

/** @param waitMs null for a job that is due at once */
function jobOf({ scope }: Call, payoutId: string, waitMs: number | null): DisbursementJob {
  const payload = { tenantId: scope.tenantId, payoutId };
  const jobKey = jobKeyOf('disburse_payout', payload);
  const due = waitMs === null ? {} : { waitMs };
  return { payload: withTrace(payload), options: { ...due, jobKey } };
}

/** Jobs of one tenant that are put off at the same time, since the provider is slow. */
const putOff = createGather<DisbursementJob, null>(async (_tenant, jobs, pool) => {
  const byPayout = new Map(jobs.map((job) => [job.payload.payoutId, job]));
  const all = [...byPayout.values()];
  await inTransaction(pool, (client) =>
    enqueueMany(
      client,
      'disburse_payout',
      all.map(({ payload }) => payload),
      all.map(({ options }) => options),
    ),
  );
  return jobs.map(() => null);
});

/** Runs the disbursement of a payout, as a job, in `waitMs` milliseconds. */
export async function disburseLater(call: Call, payoutId: string, waitMs: number): Promise<void> {
  await putOff.do(call.services.pool, call.scope.tenantId, jobOf(call, payoutId, waitMs));
}

/**
 * The same, for a payout that waits for something.
 *
 * @param mustWait asks within the job's transaction whether there still is something to wait for; if not, the
 *   job is due at once
 */
export async function disburseWhenReady(
  call: Call,
  payoutId: string,
  waitMs: number,
  mustWait: (client: PoolClient) => Promise<boolean>,
): Promise<void> {
  await inTransaction(call.services.pool, async (client) => {
    const waits = await mustWait(client);
    const { payload, options } = jobOf(call, payoutId, waits ? waitMs : null);
    await enqueue(client, 'disburse_payout', payload, options);
  });
}
