import type { PoolClient } from 'pg';
import { newId } from '../../values/ids.ts';
import { enqueue, type JobOptions, type Tasks } from '../../queue/queue.ts';
import type { EventType } from './types.ts';

/** An event that a statement is to record, if its source row is there. */
export interface EventDraft {
  readonly type: EventType;
  /** Empty for once per payout, the attempt's id for once per attempt, the number of the estimate. */
  readonly discriminator?: string;
  /** What `data` has beyond the fields of every event, which are taken from the payout's row. */
  readonly tail: Readonly<Record<string, string>>;
}

/** The parameters of `eventCtes`, which stand in the list of every statement that has them. */
export const eventParameters = [
  'eventId',
  'eventType',
  'eventDiscriminator',
  'eventTail',
  'deliveryId',
] as const;

/**
 * Common table expressions that record an event for each row of `source` (which has the columns of
 * payout), with its delivery when a subscription wants it. An event that exists already is dropped:
 * its unique index makes each event happen once. They are part of a statement made with `named`, whose
 * parameters include `eventParameters`; `eventValues` has the values.
 */
export function eventCtes(source: string): string {
  return `
    recorded_event AS (
      INSERT INTO event (tenant_id, id, payout_id, type, discriminator, data)
      SELECT s.tenant_id, @eventId, s.id, @eventType::text, @eventDiscriminator::text,
        jsonb_build_object(
          'payout_id', s.id, 'external_ref', s.external_ref, 'beneficiary_id', s.beneficiary_id,
          'amount', s.amount, 'currency', s.currency, 'rail_ref', s.rail_ref
        ) || @eventTail::jsonb
      FROM ${source} s
      WHERE @eventType::text IS NOT NULL
      ON CONFLICT (tenant_id, payout_id, type, discriminator) DO NOTHING
      RETURNING tenant_id, id, type
    ),
    planned_delivery AS (
      INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, next_attempt_at)
      SELECT e.tenant_id, @deliveryId, e.id, e.type, s.id, now()
      FROM recorded_event e
      JOIN webhook_subscription s ON s.tenant_id = e.tenant_id
      WHERE s.enabled AND e.type = ANY (s.enabled_events)
      RETURNING id
    )`;
}

/** The values of `eventParameters`; no event is recorded for null. */
export function eventValues(
  draft: EventDraft | null,
): Readonly<Record<(typeof eventParameters)[number], unknown>> {
  return {
    eventId: newId('event'),
    eventType: draft?.type ?? null,
    eventDiscriminator: draft?.discriminator ?? '',
    eventTail: JSON.stringify(draft?.tail ?? {}),
    deliveryId: newId('webhookDelivery'),
  };
}

/** A delivery has one job: a new one takes the place of one that waits. */
export function deliveryJobKey(deliveryId: string): string {
  return deliveryId;
}

/** Of the jobs that are due the worker takes those of a replay last (smaller numbers run first). */
const replayPriority = 10;

/** How a delivery's job is added: what belongs to a replay gives way to everything else. */
export function deliveryJob(
  tenantId: string,
  deliveryId: string,
  replay: boolean,
): { readonly payload: Tasks['deliver_webhook']; readonly options: JobOptions } {
  const options = { jobKey: deliveryJobKey(deliveryId) };
  const payload = { tenantId, deliveryId };
  if (!replay) return { payload, options };
  return { payload: { ...payload, replay }, options: { ...options, priority: replayPriority } };
}

/**
 * Adds the job of a delivery's next attempt, for now or for `runAt`, in the transaction that planned
 * the attempt; none for null.
 */
export async function enqueueDelivery(
  client: PoolClient,
  tenantId: string,
  deliveryId: string | null,
  { runAt, replay = false }: { readonly runAt?: Date; readonly replay?: boolean } = {},
): Promise<void> {
  if (deliveryId === null) return;
  const { payload, options } = deliveryJob(tenantId, deliveryId, replay);
  const all = runAt === undefined ? options : { ...options, runAt };
  await enqueue(client, 'deliver_webhook', payload, all);
}
