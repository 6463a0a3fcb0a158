import type { Pool } from 'pg';
import type { Scope } from '../../../access/scope.ts';
import { firstRow, inTransaction, rows, type Queryable, type Statement } from '../../../db/pool.ts';
import { enqueueDelivery } from '../../event/record.ts';
import type { Recall } from './lane.ts';

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
  pool: Pool,
  scope: Scope,
  put: { readonly deliveryId: string; readonly replay: boolean; readonly waitMs: number },
): Promise<void> {
  const { deliveryId, replay, waitMs } = put;
  const values = [scope.tenantId, deliveryId, waitMs];
  await inTransaction(pool, async (client) => {
    const row = await firstRow<{ nextAttemptAt: Date }>(client, postpone, values);
    if (row === null || waitMs > longestJobWaitMs) return;
    const { nextAttemptAt: runAt } = row;
    await enqueueDelivery(client, scope.tenantId, deliveryId, { runAt, replay });
  });
}

/**
 * A delivery that has not failed waits for its turn and nothing else; one that has waits for its
 * retry as well, unless its time is further away than any retry can be. One of a replay comes after
 * the others, and not before the time that the replay gave it.
 */
const recall: Statement = {
  name: 'recall_webhook_deliveries',
  text: `
    WITH queue AS (
      SELECT q.id, row_number() OVER (ORDER BY q.replay_at NULLS FIRST, q.id) AS place
      FROM webhook_delivery q
      WHERE q.tenant_id = $1 AND q.status = 'pending'
        AND q.next_attempt_at > now() + $2::float8 * interval '1 millisecond'
        AND (q.attempts = q.round_start
          OR q.next_attempt_at > now() + $3::float8 * interval '1 second')
        AND (q.replay_at IS NULL OR q.replay_at <= now())
      ORDER BY q.replay_at NULLS FIRST, q.id LIMIT $4
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
