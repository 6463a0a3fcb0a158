import type { Scope } from '../../../access/scope.ts';
import { named } from '../../../db/named.ts';
import { firstRow, type Queryable } from '../../../db/pool.ts';
import { testEventType } from '../../event/types.ts';
import { deliveryIdsWithin } from './id-range.ts';

/** Deliveries that one call plans at most; its statement takes well under a second. */
export const maximumReplay = 10_000;

/** Deliveries beyond the limit are counted up to this many, so that counting stays cheap. */
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

const parameters = [
  'tenant',
  'status',
  'since',
  'before',
  'first_id',
  'end_id',
  'event_type',
  'limit',
  'dry_run',
  'pace_ms',
] as const;

const ofWindow = `
  FROM webhook_delivery d
  WHERE d.tenant_id = @tenant AND d.status = @status`;

/** Starts from the payout's few events, so it is quick however long the window is. */
const ofPayout = `
  FROM event e
  JOIN webhook_delivery d ON d.tenant_id = e.tenant_id AND d.event_id = e.id
  WHERE e.tenant_id = @tenant AND e.payout_id = @payout AND d.status = @status`;

/**
 * Chooses the oldest and plans them one after the other, behind what the tenant replays already. The
 * status is checked again under the lock, so a delivery that another call took first is skipped. The
 * lock of the subscription keeps a deletion from missing what is planned here. Types that the
 * subscription does not name today are left out, but for the test event.
 */
function replayStatement<const More extends string>(
  name: string,
  source: string,
  more: readonly More[],
) {
  return named(
    name,
    [...parameters, ...more],
    `
    WITH subscription AS (
      SELECT s.id, s.enabled_events FROM webhook_subscription s
      WHERE s.tenant_id = @tenant AND s.enabled FOR SHARE
    ),
    matching AS MATERIALIZED (
      SELECT d.id
      ${source}
        AND d.created_at >= @since AND d.created_at < @before AND d.id >= @first_id AND d.id < @end_id
        AND (@event_type::text IS NULL OR d.event_type = @event_type)
        AND d.event_type = ANY (
          (SELECT s.enabled_events || '${testEventType}'::text FROM subscription s)::text[]
        )
        AND (d.status <> 'delivered' OR d.replay_at IS NULL
          OR d.replay_at < now() - interval '1 hour')
      ORDER BY d.id LIMIT @limit::integer + ${maximumCount}
    ),
    queue_end AS (
      SELECT greatest(now(), max(q.replay_at)) AS at FROM webhook_delivery q
      WHERE q.tenant_id = @tenant AND q.status = 'pending' AND q.replay_at IS NOT NULL
    ),
    first AS (
      SELECT m.id, q.at + row_number() OVER (ORDER BY m.id) * @pace_ms::float8 * interval '1 millisecond' AS due
      FROM matching m, queue_end q ORDER BY m.id LIMIT @limit
    ),
    locked AS MATERIALIZED (
      SELECT d.id FROM webhook_delivery d
      WHERE d.tenant_id = @tenant AND d.status = @status AND d.id IN (SELECT f.id FROM first f)
        AND NOT @dry_run::boolean
      ORDER BY d.id FOR UPDATE
    ),
    planned AS (
      UPDATE webhook_delivery d SET
        status = 'pending', subscription_id = s.id, round_start = d.attempts, completed_at = NULL,
        replay_at = f.due, next_attempt_at = f.due
      FROM locked l JOIN first f ON f.id = l.id, subscription s
      WHERE d.tenant_id = @tenant AND d.id = l.id
      RETURNING d.replay_at
    ),
    foreseen AS (
      SELECT f.due AS replay_at FROM first f WHERE @dry_run::boolean
      UNION ALL
      SELECT p.replay_at FROM planned p
    )
    SELECT
      (SELECT count(*)::integer FROM foreseen) AS count,
      greatest((SELECT count(*)::integer FROM matching) - @limit::integer, 0) AS remaining,
      (SELECT min(replay_at) FROM foreseen) AS "startsAt",
      (SELECT max(replay_at) FROM foreseen) AS "endsAt"
    FROM subscription`,
  );
}

const replayAll = replayStatement('replay_webhook_window', ofWindow, []);
const replayOfPayout = replayStatement('replay_webhook_window_of_payout', ofPayout, ['payout']);

/** Plans a window's deliveries again; null without an enabled subscription. */
export function replayWindow(
  client: Queryable,
  scope: Scope,
  { since, before, status, eventType, payoutId, limit, dryRun }: ReplayWindow,
): Promise<Replay | null> {
  const { from, to } = deliveryIdsWithin(since, before);
  const window = {
    tenant: scope.tenantId,
    status,
    since,
    before,
    first_id: from,
    end_id: to,
    event_type: eventType,
    limit,
    dry_run: dryRun,
    pace_ms: paceMs,
  };
  if (payoutId === null) return firstRow<Replay>(client, replayAll, replayAll.of(window));
  const values = replayOfPayout.of({ ...window, payout: payoutId });
  return firstRow<Replay>(client, replayOfPayout, values);
}
