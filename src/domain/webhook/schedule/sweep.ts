import { inTransaction, platformStatement } from '../../../db/pool.ts';
import { rowsAcross } from '../../../db/reach.ts';
import { enqueue, enqueueMissing, findLiveJobKeys, type JobOptions } from '../../../queue/queue.ts';
import type { Payload } from '../../../queue/tasks.ts';
import type { Services } from '../../../process/services.ts';
import { deliveryJob, togetherKey } from '../../event/record.ts';

/** Bounds of one job; the next job goes on where this one stops. */
const batchSize = 500;
const maximumBatches = 20;

/** The key of the one continuation that may wait or run; sweeps by the clock do not replace it. */
const continuationKey = 'sweep_webhooks_on';

/** The last delivery that a sweep has looked at. */
export type SweepPosition = NonNullable<Payload<'sweep_webhooks'>['after']>;

interface Due {
  readonly tenantId: string;
  readonly id: string;
  readonly nextAttemptAt: Date;
  readonly replay: boolean;
  /** The first of the deliveries that share a job with this one; null where it shares none, or was given a time since. */
  readonly sentWith: string | null;
}

/**
 * Deliveries that fall due before the next sweep count too, so that they start on time. A sweep is for
 * all tenants, so this statement names none.
 */
const dueDeliveries = platformStatement({
  name: 'due_webhook_deliveries',
  text: `
    SELECT d.tenant_id AS "tenantId", d.id, d.next_attempt_at AS "nextAttemptAt",
      d.replay_at IS NOT NULL AS replay, CASE d.next_attempt_at WHEN d.created_at THEN d.sent_with END AS "sentWith"
    FROM across.webhook_delivery d
    WHERE d.status = 'pending'
      AND d.next_attempt_at <= now() + interval '1 minute' AND d.next_attempt_at >= $1
      AND (d.next_attempt_at, d.tenant_id, d.id) > ($1, $2, $3)
    ORDER BY d.next_attempt_at, d.tenant_id, d.id
    LIMIT $4`,
});

const beginning: SweepPosition = { nextAttemptAt: new Date(0).toISOString(), tenantId: '', id: '' };

/**
 * Adds a job for deliveries that are due and have none: after an outage, when a subscription was
 * enabled again, and those of a long backlog as their time comes. What one job does not reach is left
 * to another, which goes on from there. Returns how many jobs it added.
 *
 * @param position where to go on; null for the delivery that is due longest
 */
export async function sweepDeliveries(
  services: Services,
  position: SweepPosition | null = null,
): Promise<number> {
  let added = 0;
  let after = position ?? beginning;
  let last: Due | undefined;
  for (let batch = 0; batch < maximumBatches; batch += 1) {
    const due = await rowsAcross<Due & Record<string, unknown>>(services.pool, dueDeliveries, [
      after.nextAttemptAt,
      after.tenantId,
      after.id,
      batchSize,
    ]);
    added += await addMissing(services, due);
    last = due.length < batchSize ? undefined : due.at(-1);
    if (last === undefined) break;
    after = { ...last, nextAttemptAt: last.nextAttemptAt.toISOString() };
  }
  if (last !== undefined) await goOn(services, after, position !== null);
  if (added > 0)
    services.log.info({ deliveries: added }, 'jobs added for deliveries that were due');
  return added;
}

function addMissing({ pool }: Services, due: readonly Due[]): Promise<number> {
  const jobs = due.map((delivery) => {
    const { payload, options } = deliveryJob(delivery.tenantId, delivery.id, delivery.replay);
    const sharedKey = delivery.sentWith === null ? null : togetherKey(delivery.sentWith);
    return { payload, options: { ...options, ...startOf(delivery) }, sharedKey };
  });
  return enqueueMissing(pool, 'deliver_webhook', jobs);
}

/** The worker takes the oldest job first, so an overdue delivery counts from now, after the others. */
function startOf(due: Due): JobOptions {
  return due.nextAttemptAt.getTime() > Date.now() ? { runAt: due.nextAttemptAt } : {};
}

/** A sweep by the clock must not send a continuation that is under way back to where the clock's ended. */
async function goOn(
  { pool }: Services,
  after: SweepPosition,
  isContinuation: boolean,
): Promise<void> {
  if (!isContinuation && (await findLiveJobKeys(pool, [continuationKey])).size > 0) return;
  await inTransaction(pool, (client) =>
    enqueue(client, 'sweep_webhooks', { after }, { jobKey: continuationKey }),
  );
}
