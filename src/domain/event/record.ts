import type { PoolClient } from 'pg';
import { command } from '../../db/command.ts';
import { withTrace } from '../../process/tracing.ts';
import { newId } from '../../values/ids.ts';
import { enqueue, type JobOptions } from '../../queue/queue.ts';
import { jobInsert } from '../../queue/outbox.ts';
import { jobKeyOf, type Payload } from '../../queue/tasks.ts';
import type { EventType } from './types.ts';

/** An event that a command is to record, if it changes what the event tells of. */
export interface EventDraft {
  readonly type: EventType;
  /** Empty for once per payout, the attempt's id for once per attempt, the number of the estimate. */
  readonly discriminator?: string;
  /** The fields of `data` that only this type has; the common ones are taken from the payout's row. */
  readonly tail: Readonly<Record<string, string>>;
}

/** SQL: the columns of a payout that `eventSql` needs, for a statement whose rows are given to it afterwards. */
export const eventColumns = (payout: string): string =>
  `${payout}.id, ${payout}.external_ref, ${payout}.beneficiary_id, ${payout}.amount, ${payout}.currency, ${payout}.rail_ref`;

/**
 * SQL: an event as `command.record_events` takes it, with the fields of `data` that all types have.
 *
 * Not for a RETURNING: Citus takes no function there that makes JSON.
 *
 * @param payout a row of `payout`
 * @param event what `eventFields` made, or NULL for no event
 */
export const eventSql = (payout: string, event: string): string => `(${event} || jsonb_build_object(
    'payout_id', ${payout}.id,
    'data', jsonb_build_object(
      'payout_id', ${payout}.id, 'external_ref', ${payout}.external_ref, 'beneficiary_id', ${payout}.beneficiary_id,
      'amount', ${payout}.amount, 'currency', ${payout}.currency, 'rail_ref', ${payout}.rail_ref
    ) || (${event} -> 'tail')
  ))`;

/** Deliveries of one job, which sends them one after the other. */
const mostTogether = 8;

/** The key of a job of several deliveries, but for the first one's id: that delivery may get a job of its own too. */
const togetherPrefix = 'with ';

/**
 * A part of commands: records events of payouts, each with its delivery when a subscription wants it. Deliveries of one
 * trace share jobs, since a job costs more than what it does to send one. An event that exists already is dropped: its
 * unique index makes each event happen once. It returns whether it added a job.
 */
export const recordEvents = command({
  name: 'record_events',
  comment:
    'A part of other commands: events of payouts, their deliveries and jobs (src/domain/event/record.ts).',
  parameters: { tenant: 'text', events: 'jsonb[]' },
  returns: 'boolean',
  declare: `
  added text;
  recorded text[] := '{}';
  wanted jsonb[];`,
  body: `
  FOR added IN
    INSERT INTO public.event AS v (tenant_id, id, payout_id, type, discriminator, data)
    SELECT _tenant, e.event ->> 'id', e.event ->> 'payout_id', e.event ->> 'type', e.event ->> 'discriminator',
      e.event -> 'data'
    FROM unnest(_events) WITH ORDINALITY AS e (event, place) WHERE e.event IS NOT NULL ORDER BY e.place
    ON CONFLICT (tenant_id, payout_id, type, discriminator) DO NOTHING
    RETURNING v.id
  LOOP
    recorded := recorded || added;
  END LOOP;
  IF recorded = '{}' THEN
    RETURN false;
  END IF;
  SELECT array_agg(e.event || jsonb_build_object('subscription_id', s.id)) INTO wanted
  FROM (SELECT u.event, u.event ->> 'type' AS type FROM unnest(_events) AS u (event) OFFSET 0) AS e
  CROSS JOIN LATERAL (
    SELECT w.id FROM public.webhook_subscription w
    WHERE w.tenant_id = _tenant AND w.enabled AND e.type = ANY (w.enabled_events) LIMIT 1
  ) AS s
  WHERE e.event ->> 'id' = ANY (recorded);
  IF wanted IS NULL THEN
    RETURN false;
  END IF;
  IF cardinality(wanted) > 1 THEN
    wanted := ARRAY(
      SELECT w.event || jsonb_build_object('sent_with', CASE WHEN count(*) OVER part > 1 THEN min(w.delivery) OVER part END)
      FROM (
        SELECT w.event, w.event ->> 'delivery_id' AS delivery, w.event -> '_trace' AS trace,
          (row_number() OVER (PARTITION BY w.event -> '_trace' ORDER BY w.event ->> 'delivery_id') - 1) / ${mostTogether} AS n
        FROM unnest(wanted) AS w (event)
      ) AS w
      WINDOW part AS (PARTITION BY w.trace, w.n)
      ORDER BY w.delivery
    );
  END IF;
  INSERT INTO public.webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, next_attempt_at, sent_with)
  SELECT _tenant, w.event ->> 'delivery_id', w.event ->> 'id', w.event ->> 'type', w.event ->> 'subscription_id', now(),
    w.event ->> 'sent_with'
  FROM unnest(wanted) AS w (event);
  ${jobInsert({
    task: 'deliver_webhook',
    tenant: '_tenant',
    payload: { deliveryId: 'j.ids[1]' },
    trace: 'j.trace',
    more: { others: 'CASE WHEN j.sent_with IS NOT NULL THEN to_jsonb(j.ids[2:]) END' },
    key: `coalesce('${togetherPrefix}' || j.sent_with, j.ids[1])`,
    from: `FROM (
    SELECT w.event ->> 'sent_with' AS sent_with, array_agg(w.event ->> 'delivery_id' ORDER BY w.place) AS ids,
      (array_agg(w.event -> '_trace'))[1] AS trace
    FROM unnest(wanted) WITH ORDINALITY AS w (event, place)
    GROUP BY w.event ->> 'sent_with', coalesce(w.event ->> 'sent_with', w.event ->> 'delivery_id')
    ORDER BY min(w.place)
  ) AS j`,
  })}
  RETURN true;`,
});

/** The key of the job that deliveries with this `sent_with` share. */
export const togetherKey = (sentWith: string): string => togetherPrefix + sentWith;

/** An event as commands take it (`eventSql`) among other things; null records none. */
export function eventFields(draft: EventDraft | null): object | null {
  if (draft === null) return null;
  const { type, discriminator = '', tail } = draft;
  const ids = { id: newId('event'), delivery_id: newId('webhookDelivery') };
  return withTrace({ ...ids, type, discriminator, tail });
}

/** The same as JSON. */
export function wireEvent(draft: EventDraft | null): string | null {
  const fields = eventFields(draft);
  return fields === null ? null : JSON.stringify(fields);
}

/** Of the jobs that are due the worker takes those of a replay last (smaller numbers run first). */
const replayPriority = 10;

interface DeliveryJob {
  readonly payload: Payload<'deliver_webhook'>;
  readonly options: Pick<JobOptions, 'priority'>;
}

/** How a delivery's job is added: one that is part of a replay runs after all others. */
export function deliveryJob(tenantId: string, deliveryId: string, replay: boolean): DeliveryJob {
  const payload = { tenantId, deliveryId };
  if (!replay) return { payload, options: {} };
  return { payload: { ...payload, replay }, options: { priority: replayPriority } };
}

/**
 * Adds the job of a delivery's next attempt, for now or for `runAt`, in the transaction that planned
 * the attempt; none for null. Of jobs of its own a delivery has one: a new one replaces one that waits.
 */
export async function enqueueDelivery(
  client: PoolClient,
  tenantId: string,
  deliveryId: string | null,
  { runAt, replay = false }: { readonly runAt?: Date; readonly replay?: boolean } = {},
): Promise<void> {
  if (deliveryId === null) return;
  const { payload, options } = deliveryJob(tenantId, deliveryId, replay);
  const keyed = { ...options, jobKey: jobKeyOf('deliver_webhook', payload) };
  const all = runAt === undefined ? keyed : { ...keyed, runAt };
  await enqueue(client, 'deliver_webhook', payload, all);
}
