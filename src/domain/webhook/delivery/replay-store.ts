import type { Scope } from '../../../access/scope.ts';
import { firstRow, type Queryable, type Statement } from '../../../db/pool.ts';
import { deliveryIdsWithin } from './id-range.ts';

/** Deliveries that one call plans at most; its statement takes well under a second. */
export const maximumReplay = 10_000;

/** What is beyond the limit is counted up to here, so that a count costs no more than the rest. */
const maximumCount = 100_000;

/** Twenty a second: ten thousand are through in less than nine minutes. */
const paceMs = 50;

export interface ReplayWindow {
  /** Bounds of the time at which the deliveries were planned; the second is not part of it. */
  readonly since: Date;
  readonly before: Date;
  readonly status: 'dead' | 'delivered' | 'canceled';
  readonly eventType: string | null;
  readonly payoutId: string | null;
  readonly limit: number;
  readonly dryRun: boolean;
}

export interface Replay {
  /** Deliveries that were planned again, or would be. */
  readonly count: number;
  /** How many more of the window wait for another call, counted up to 100,000. */
  readonly remaining: number;
  /** When the first and the last of them are due; null when there is none. */
  readonly startsAt: Date | null;
  readonly endsAt: Date | null;
}

const ofWindow = `
  FROM webhook_delivery d
  WHERE d.tenant_id = $1 AND d.status = $2`;

/** By way of the payout's few events, however long the window is. */
const ofPayout = `
  FROM event e
  JOIN webhook_delivery d ON d.tenant_id = e.tenant_id AND d.event_id = e.id
  WHERE e.tenant_id = $1 AND e.payout_id = $11 AND d.status = $2`;

/**
 * Chooses the oldest and plans them one after the other, behind what the tenant replays already. A
 * delivery that somebody else took first is passed over: its status is looked at again under the
 * lock. The lock of the subscription keeps a deletion from missing what is planned here. Of a type
 * that the subscription does not name today nothing is sent; the test is sent whatever it names.
 */
function replayStatement(name: string, source: string): Statement {
  return {
    name,
    text: `
    WITH subscription AS (
      SELECT s.id, s.enabled_events FROM webhook_subscription s
      WHERE s.tenant_id = $1 AND s.enabled FOR SHARE
    ),
    matching AS MATERIALIZED (
      SELECT d.id
      ${source}
        AND d.created_at >= $3 AND d.created_at < $4 AND d.id >= $5 AND d.id < $6
        AND ($7::text IS NULL OR d.event_type = $7)
        AND d.event_type = ANY (
          (SELECT s.enabled_events || 'webhook.test'::text FROM subscription s)::text[]
        )
        AND (d.status <> 'delivered' OR d.replay_at IS NULL
          OR d.replay_at < now() - interval '1 hour')
      ORDER BY d.id LIMIT $8::integer + ${maximumCount}
    ),
    first AS (
      SELECT m.id, row_number() OVER (ORDER BY m.id) AS place FROM matching m ORDER BY m.id LIMIT $8
    ),
    queue_end AS (
      SELECT greatest(now(), max(q.replay_at)) AS at FROM webhook_delivery q
      WHERE q.tenant_id = $1 AND q.status = 'pending' AND q.replay_at IS NOT NULL
    ),
    locked AS MATERIALIZED (
      SELECT d.id FROM webhook_delivery d
      WHERE d.tenant_id = $1 AND d.status = $2 AND d.id IN (SELECT f.id FROM first f)
        AND NOT $9::boolean
      ORDER BY d.id FOR UPDATE
    ),
    planned AS (
      UPDATE webhook_delivery d SET
        status = 'pending', subscription_id = s.id, round_start = d.attempts, completed_at = NULL,
        replay_at = q.at + f.place * $10::float8 * interval '1 millisecond',
        next_attempt_at = q.at + f.place * $10::float8 * interval '1 millisecond'
      FROM locked l JOIN first f ON f.id = l.id, subscription s, queue_end q
      WHERE d.tenant_id = $1 AND d.id = l.id
      RETURNING d.replay_at
    ),
    foreseen AS (
      SELECT q.at + f.place * $10::float8 * interval '1 millisecond' AS replay_at
      FROM first f, queue_end q WHERE $9::boolean
      UNION ALL
      SELECT p.replay_at FROM planned p
    )
    SELECT
      (SELECT count(*)::integer FROM foreseen) AS count,
      greatest((SELECT count(*)::integer FROM matching) - $8::integer, 0) AS remaining,
      (SELECT min(replay_at) FROM foreseen) AS "startsAt",
      (SELECT max(replay_at) FROM foreseen) AS "endsAt"
    FROM subscription`,
  };
}

const replayAll = replayStatement('replay_webhook_window', ofWindow);
const replayOfPayout = replayStatement('replay_webhook_window_of_payout', ofPayout);

/** Plans a window's deliveries again; null without an enabled subscription. */
export function replayWindow(
  client: Queryable,
  scope: Scope,
  { since, before, status, eventType, payoutId, limit, dryRun }: ReplayWindow,
): Promise<Replay | null> {
  const { from, to } = deliveryIdsWithin(since, before);
  const values: unknown[] = [scope.tenantId, status, since, before, from, to];
  values.push(eventType, limit, dryRun, paceMs);
  if (payoutId === null) return firstRow<Replay>(client, replayAll, values);
  return firstRow<Replay>(client, replayOfPayout, [...values, payoutId]);
}
