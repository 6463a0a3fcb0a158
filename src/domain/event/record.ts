import type { PoolClient } from 'pg';
import { newId } from '../../values/ids.ts';
import { enqueue, type JobOptions } from '../../queue/queue.ts';
import { jobKeyOf, type Payload } from '../../queue/tasks.ts';
import type { EventType } from './types.ts';

/** An event that a statement is to record, if its source row is there. */
export interface EventDraft {
  readonly type: EventType;
  /** Empty for once per payout, the attempt's id for once per attempt, the number of the estimate. */
  readonly discriminator?: string;
  /** The fields of `data` that only this type has; the common ones are taken from the payout's row. */
  readonly tail: Readonly<Record<string, string>>;
}

/** The parameters of `eventCtes`. Every statement that uses these has them in its own list. */
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
 * the attempt; none for null. A delivery has one job: a new one replaces one that waits.
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
