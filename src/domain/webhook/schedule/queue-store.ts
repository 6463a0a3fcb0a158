import type { Pool } from 'pg';
import type { Scope } from '../../../access/scope.ts';
import { firstRow, inTransaction, rows, type Queryable, type Statement } from '../../../db/pool.ts';
import { longestWaitMs } from '../../../queue/queue.ts';
import { enqueueDelivery } from '../../event/record.ts';
import type { Recall } from './lane.ts';

/*
 * Deliveries that wait because their endpoint is slower than events are recorded. The row holds the
 * time. A delivery that is due within `longestWaitMs` has a job too; a later one is a row alone until
 * the sweeper adds its job a minute before, so that jobs stay few however many deliveries wait.
 */

const postpone: Statement = {
  name: 'postpone_webhook_delivery',
  text: `
    UPDATE webhook_delivery d SET next_attempt_at = now() + $3::float8 * interval '1 millisecond'
    WHERE d.tenant_id = $1 AND d.id = $2
      AND d.next_attempt_at <= now() + interval '1 second'
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
  const values = [scope.tenantId, deliveryId, waitMs] as const;
  await inTransaction(pool, async (client) => {
    const row = await firstRow<{ nextAttemptAt: Date }>(client, postpone, values);
    if (row === null || waitMs > longestWaitMs) return;
    const { nextAttemptAt: runAt } = row;
    await enqueueDelivery(client, scope.tenantId, deliveryId, { runAt, replay });
  });
}

/**
 * A delivery that has not failed waits only for its endpoint. One that has failed also waits for its
 * retry, unless its time is further away than any retry can be. One that belongs to a replay comes
 * after the others, and not before the time that the replay gave it.
 */
const recall: Statement = {
  name: 'recall_webhook_deliveries',
  text: `
    WITH queue AS (
      SELECT q.id, now() + row_number() OVER (ORDER BY q.replay_at NULLS FIRST, q.id)
        * $5::float8 * interval '1 millisecond' AS at
      FROM webhook_delivery q
      WHERE q.tenant_id = $1 AND q.status = 'pending'
        AND q.next_attempt_at > now() + $2::float8 * interval '1 millisecond'
        AND (q.attempts = q.round_start
          OR q.next_attempt_at > now() + $3::float8 * interval '1 second')
        AND (q.replay_at IS NULL OR q.replay_at <= now())
      ORDER BY q.replay_at NULLS FIRST, q.id LIMIT $4
    )
    UPDATE webhook_delivery d SET next_attempt_at = queue.at
    FROM queue
    WHERE d.tenant_id = $1 AND d.id = queue.id
      AND d.next_attempt_at > now() + $2::float8 * interval '1 millisecond'`,
};

/**
 * Brings forward the oldest of a tenant's deliveries that have no job yet, one after the other at the
 * endpoint's pace; the sweeper adds their jobs.
 *
 * @param longestRetryWait seconds that the wait after a failure can take at most
 */
export async function recallDeliveries(
  client: Queryable,
  scope: Scope,
  { most, paceMs }: Recall,
  longestRetryWait: number,
): Promise<void> {
  const values = [scope.tenantId, longestWaitMs, longestRetryWait, most, paceMs] as const;
  await rows(client, recall, values);
}
