import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { inAskedOrder } from '../children.ts';

export const timelineKinds = [
  'decision',
  'provider_event',
  'transition',
  'ledger_entry',
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
  /** Of a ledger entry, in minor units of its currency; null for anything else. */
  readonly amountMinor: bigint | null;
  readonly currency: string | null;
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
 * Of what happens at one time, causes come before their effects: a decision or the word of a provider before the
 * transition, the transition before its entry in the books and the attempt, the event before its delivery. The
 * number before the kind says so.
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
          d.id AS subject, d.status AS summary, d.submitted_by AS actor, NULL::bigint AS "amountMinor", NULL::text AS currency
        FROM payout_decision d WHERE d.tenant_id = @tenant AND d.payout_id = g.payout
        UNION ALL
        SELECT concat(${sortable('t.occurred_at')}, '2', lpad(t.seq::text, 10, '0')), t.occurred_at, 'transition',
          t.seq::text, concat_ws(', ', concat(t.from_state, ' → ', t.to_state), t.reason), t.actor, NULL, NULL
        FROM payout_transition t WHERE t.tenant_id = @tenant AND t.payout_id = g.payout
        UNION ALL
        SELECT concat(${sortable('b.recorded_at')}, '3', b.id), b.recorded_at, 'ledger_entry',
          b.id, concat(b.kind, ', ', b.debit_account, ' → ', b.credit_account), NULL, b.amount_minor, b.currency
        FROM ledger_entry b WHERE b.tenant_id = @tenant AND b.payout_id = g.payout
        UNION ALL
        SELECT concat(${sortable('a.prepared_at')}, '4', a.id), a.prepared_at, 'attempt_prepared',
          a.id, concat('attempt ', a.number, ' to ', a.provider), NULL, NULL, NULL
        FROM disbursement_attempt a WHERE a.tenant_id = @tenant AND a.payout_id = g.payout
        UNION ALL
        SELECT concat(${sortable('o.at')}, '5', a.id), o.at, concat('attempt_', a.status),
          a.id, concat_ws(', ', concat('attempt ', a.number), a.provider_payout_id, a.failure_code), NULL, NULL, NULL
        FROM disbursement_attempt a CROSS JOIN LATERAL (
          SELECT CASE a.status WHEN 'submitted' THEN a.submitted_at ELSE a.completed_at END AS at
        ) o
        WHERE a.tenant_id = @tenant AND a.payout_id = g.payout AND a.status IN ('submitted', 'rejected') AND o.at IS NOT NULL
        UNION ALL
        SELECT concat(${sortable('e.occurred_at')}, '6', e.id), e.occurred_at, 'event', e.id, e.type, NULL, NULL, NULL
        FROM event e WHERE e.tenant_id = @tenant AND e.payout_id = g.payout
        UNION ALL
        SELECT concat(${sortable('n.started_at')}, '7', n.delivery_id, lpad(n.number::text, 10, '0')), n.started_at, 'delivery_attempt',
          n.delivery_id, concat(e.type, ', attempt ', n.number, ': ', coalesce(n.status_code::text, n.error)), NULL, NULL, NULL
        FROM event e JOIN webhook_delivery d ON d.tenant_id = @tenant AND d.event_id = e.id
        JOIN webhook_delivery_attempt n ON n.tenant_id = @tenant AND n.delivery_id = d.id
        WHERE e.tenant_id = @tenant AND e.payout_id = g.payout
        UNION ALL
        SELECT concat(${sortable('d.completed_at')}, '8', d.id), d.completed_at, 'delivery_ended',
          d.id, concat(e.type, ', ', d.status), NULL, NULL, NULL
        FROM event e JOIN webhook_delivery d ON d.tenant_id = @tenant AND d.event_id = e.id
        WHERE e.tenant_id = @tenant AND e.payout_id = g.payout AND d.completed_at IS NOT NULL
      ) line
      WHERE line.id > coalesce(g.after, '') COLLATE "C"
      ORDER BY line.id COLLATE "C" LIMIT g.take
    ) l
    ORDER BY g.asked, l.id COLLATE "C"`,
);

const attempts = named(
  'attempt_ids_of_payouts',
  ['tenant', 'payouts'],
  `
    SELECT g.asked::integer AS asked, a.id
    FROM unnest(@payouts::text[]) WITH ORDINALITY AS g(payout, asked)
    JOIN disbursement_attempt a ON a.tenant_id = @tenant AND a.payout_id = g.payout
    ORDER BY g.asked, a.number`,
);

/**
 * What providers said of some attempts. Their events lie in no tenant's table, since they arrive before the tenant is
 * known, so that no statement on a tenant's table may join them.
 */
const providerEvents = named(
  'provider_events_of_attempts',
  ['tenant', 'places', 'attempts', 'after', 'take'],
  `
    SELECT g.place AS asked, l.*
    FROM unnest(@places::integer[], @attempts::text[], @after::text[], @take::integer[]) AS g(place, attempt, after, take)
    CROSS JOIN LATERAL (
      SELECT line.* FROM (
        SELECT concat(${sortable('e.received_at')}, '1', e.event_id) AS id, e.received_at AS at, 'provider_event' AS kind,
          e.event_id AS subject, concat_ws(', ', e.event ->> 'type', e.status) AS summary,
          jsonb_build_object('type', 'provider', 'name', e.provider) AS actor,
          NULL::bigint AS "amountMinor", NULL::text AS currency
        FROM provider_event e WHERE e.subject_id = g.attempt AND e.tenant_id = @tenant
      ) line
      WHERE line.id > coalesce(g.after, '') COLLATE "C"
      ORDER BY line.id COLLATE "C" LIMIT g.take
    ) l`,
);

type TimelineRow = TimelineEntry & { readonly asked: number };

async function readProviderEvents(
  { scope, services }: Call,
  asked: readonly TimelineOf[],
): Promise<TimelineRow[]> {
  const tenant = scope.tenantId;
  const found = await rows<{ readonly asked: number; readonly id: string }>(
    services.pool,
    attempts,
    attempts.of({ tenant, payouts: asked.map(({ payoutId }) => payoutId) }),
  );
  if (found.length === 0) return [];
  const of = found.map(({ asked: place }) => asked[place - 1]);
  return rows<TimelineRow>(
    services.pool,
    providerEvents,
    providerEvents.of({
      tenant,
      places: found.map(({ asked: place }) => place),
      attempts: found.map(({ id }) => id),
      after: of.map((one) => one?.after ?? null),
      take: of.map((one) => one?.take ?? 0),
    }),
  );
}

/** What happened to some payouts, oldest first, in the order asked. */
export async function readTimelines(
  call: Call,
  asked: readonly TimelineOf[],
): Promise<TimelineEntry[][]> {
  const own = rows<TimelineRow>(
    call.services.pool,
    timelines,
    timelines.of({
      tenant: call.scope.tenantId,
      payouts: asked.map(({ payoutId }) => payoutId),
      after: asked.map(({ after }) => after),
      take: asked.map(({ take }) => take),
    }),
  );
  const found = await Promise.all([own, readProviderEvents(call, asked)]);
  return inAskedOrder(found.flat(), asked).map((entries, place) =>
    entries.toSorted((a, b) => (a.id < b.id ? -1 : 1)).slice(0, asked[place]?.take),
  );
}
