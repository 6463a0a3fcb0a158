import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import { enqueueDelivery } from '../event/record.ts';
import type { Recall } from './lanes.ts';

/*
 * Deliveries that wait for their turn because their endpoint is slower than the events are many. The
 * row holds the time. Near times have a job too; a longer queue is rows alone, to which the sweeper
 * gives their jobs a minute before, so that the jobs are few however many deliveries wait.
 */

/** Shorter than what `findLiveJobKeys` takes for a job that will run in time. */
const longestJobWaitMs = 5 * 60_000;

const postpone: Statement = {
  name: 'postpone_webhook_delivery',
  text: `
    UPDATE webhook_delivery d SET next_attempt_at = now() + $3::float8 * interval '1 millisecond'
    WHERE d.tenant_id = $1 AND d.id = $2
      AND d.status = 'pending' AND d.next_attempt_at <= now() + interval '1 second'
    RETURNING d.next_attempt_at AS "nextAttemptAt"`,
};

/**
 * Puts a delivery off by `waitMs`, without counting an attempt. Nothing happens to one that has
 * ended or is not due.
 */
export async function postponeDelivery(
  client: PoolClient,
  scope: Scope,
  deliveryId: string,
  waitMs: number,
): Promise<void> {
  const row = await firstRow<{ nextAttemptAt: Date }>(client, postpone, [
    scope.tenantId,
    deliveryId,
    waitMs,
  ]);
  if (row === null || waitMs > longestJobWaitMs) return;
  await enqueueDelivery(client, scope.tenantId, deliveryId, row.nextAttemptAt);
}

/**
 * A delivery that has not failed waits for its turn and nothing else; one that has waits for its
 * retry as well, unless its time is further away than any retry can be.
 */
const recall: Statement = {
  name: 'recall_webhook_deliveries',
  text: `
    WITH queue AS (
      SELECT q.id, row_number() OVER (ORDER BY q.id) AS place
      FROM webhook_delivery q
      WHERE q.tenant_id = $1 AND q.status = 'pending'
        AND q.next_attempt_at > now() + $2::float8 * interval '1 millisecond'
        AND (q.attempts = q.round_start
          OR q.next_attempt_at > now() + $3::float8 * interval '1 second')
      ORDER BY q.id LIMIT $4
    )
    UPDATE webhook_delivery d SET
      next_attempt_at = now() + queue.place * $5::float8 * interval '1 millisecond'
    FROM queue
    WHERE d.tenant_id = $1 AND d.id = queue.id AND d.status = 'pending'
      AND d.next_attempt_at > now() + $2::float8 * interval '1 millisecond'`,
};

/**
 * Calls back the oldest of a tenant's deliveries that were put off beyond what has a job, one after
 * the other at the endpoint's pace; the sweeper gives them their jobs.
 *
 * @param longestRetryWait seconds that the wait after a failure can take at most
 */
export async function recallDeliveries(
  client: Queryable,
  scope: Scope,
  { most, paceMs }: Recall,
  longestRetryWait: number,
): Promise<void> {
  const values = [scope.tenantId, longestJobWaitMs, longestRetryWait, most, paceMs];
  await rows(client, recall, values);
}
