import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { inAskedOrder } from '../children.ts';

export const timelineKinds = [
  'decision',
  'transition',
  'attempt_prepared',
  'attempt_submitted',
  'attempt_rejected',
  'event',
  'delivery_attempt',
  'delivery_ended',
] as const;

/** One thing that happened to a payout. */
export interface TimelineEntry {
  /** Where the entry stands: unique in its payout, and sorted as the payout's entries are. */
  readonly id: string;
  readonly at: Date;
  readonly kind: (typeof timelineKinds)[number];
  /** Of what happened: the id of the decision, attempt, event or delivery, or the transition's number. */
  readonly subject: string;
  readonly summary: string;
  readonly actor: unknown;
}

/** Up to `take` entries of a payout, after the one with the id `after` if that is set. */
export interface TimelineOf {
  readonly payoutId: string;
  readonly after: string | null;
  readonly take: number;
}

/** Times sort as text when they have one form. */
const sortable = (time: string) => `to_char(${time} AT TIME ZONE 'UTC', 'YYYYMMDDHH24MISSMS')`;

/**
 * Of what happens at one time, causes come before their effects: a decision before the transition, the
 * transition before the attempt, the event before its delivery. The number before the kind says so.
 */
const timelines = named(
  'timelines_of_payouts',
  ['tenant', 'payouts', 'after', 'take'],
  `
    SELECT g.asked::integer AS asked, l.*
    FROM unnest(@payouts::text[], @after::text[], @take::integer[]) WITH ORDINALITY AS g(payout, after, take, asked)
    CROSS JOIN LATERAL (
      SELECT line.* FROM (
        SELECT concat(${sortable('d.submitted_at')}, '0', d.id) AS id, d.submitted_at AS at, 'decision' AS kind,
          d.id AS subject, d.status AS summary, d.submitted_by AS actor
        FROM payout_decision d WHERE d.tenant_id = @tenant AND d.payout_id = g.payout
        UNION ALL
        SELECT concat(${sortable('t.occurred_at')}, '1', lpad(t.seq::text, 10, '0')), t.occurred_at, 'transition',
          t.seq::text, concat_ws(', ', concat(t.from_state, ' → ', t.to_state), t.reason), t.actor
        FROM payout_transition t WHERE t.tenant_id = @tenant AND t.payout_id = g.payout
        UNION ALL
        SELECT concat(${sortable('a.prepared_at')}, '2', a.id), a.prepared_at, 'attempt_prepared',
          a.id, concat('attempt ', a.number, ' to ', a.provider), NULL
        FROM disbursement_attempt a WHERE a.tenant_id = @tenant AND a.payout_id = g.payout
        UNION ALL
        SELECT concat(${sortable('o.at')}, '3', a.id), o.at, concat('attempt_', a.status),
          a.id, concat_ws(', ', concat('attempt ', a.number), a.provider_payout_id, a.failure_code), NULL
        FROM disbursement_attempt a CROSS JOIN LATERAL (
          SELECT CASE a.status WHEN 'submitted' THEN a.submitted_at ELSE a.completed_at END AS at
        ) o
        WHERE a.tenant_id = @tenant AND a.payout_id = g.payout AND a.status IN ('submitted', 'rejected') AND o.at IS NOT NULL
        UNION ALL
        SELECT concat(${sortable('e.occurred_at')}, '4', e.id), e.occurred_at, 'event', e.id, e.type, NULL
        FROM event e WHERE e.tenant_id = @tenant AND e.payout_id = g.payout
        UNION ALL
        SELECT concat(${sortable('n.started_at')}, '5', n.delivery_id, lpad(n.number::text, 10, '0')), n.started_at, 'delivery_attempt',
          n.delivery_id, concat(e.type, ', attempt ', n.number, ': ', coalesce(n.status_code::text, n.error)), NULL
        FROM event e JOIN webhook_delivery d ON d.tenant_id = @tenant AND d.event_id = e.id
        JOIN webhook_delivery_attempt n ON n.tenant_id = @tenant AND n.delivery_id = d.id
        WHERE e.tenant_id = @tenant AND e.payout_id = g.payout
        UNION ALL
        SELECT concat(${sortable('d.completed_at')}, '6', d.id), d.completed_at, 'delivery_ended',
          d.id, concat(e.type, ', ', d.status), NULL
        FROM event e JOIN webhook_delivery d ON d.tenant_id = @tenant AND d.event_id = e.id
        WHERE e.tenant_id = @tenant AND e.payout_id = g.payout AND d.completed_at IS NOT NULL
      ) line
      WHERE line.id > coalesce(g.after, '') COLLATE "C"
      ORDER BY line.id COLLATE "C" LIMIT g.take
    ) l
    ORDER BY g.asked, l.id COLLATE "C"`,
);

/** What happened to some payouts, oldest first, in the order asked. */
export async function readTimelines(
  { scope, services }: Call,
  asked: readonly TimelineOf[],
): Promise<TimelineEntry[][]> {
  const found = await rows<TimelineEntry & { readonly asked: number }>(
    services.pool,
    timelines,
    timelines.of({
      tenant: scope.tenantId,
      payouts: asked.map(({ payoutId }) => payoutId),
      after: asked.map(({ after }) => after),
      take: asked.map(({ take }) => take),
    }),
  );
  return inAskedOrder(found, asked);
}
