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

/**
 * A part of commands: records an event of a payout, with its delivery and the delivery's job when a
 * subscription wants it. An event that exists already is dropped: its unique index makes each event happen
 * once. It returns whether it added a job.
 */
export const recordEvent = command({
  name: 'record_event',
  comment:
    'A part of other commands: an event of a payout, its delivery and the job (src/domain/event/record.ts).',
  parameters: { payout: 'public.payout', event: 'jsonb' },
  returns: 'boolean',
  declare: 'subscription text;',
  body: `
  IF _event IS NULL THEN
    RETURN false;
  END IF;
  INSERT INTO public.event (tenant_id, id, payout_id, type, discriminator, data)
  VALUES (
    _payout.tenant_id, _event ->> 'id', _payout.id, _event ->> 'type', _event ->> 'discriminator',
    jsonb_build_object(
      'payout_id', _payout.id, 'external_ref', _payout.external_ref, 'beneficiary_id', _payout.beneficiary_id,
      'amount', _payout.amount, 'currency', _payout.currency, 'rail_ref', _payout.rail_ref
    ) || (_event -> 'tail')
  )
  ON CONFLICT (tenant_id, payout_id, type, discriminator) DO NOTHING;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  SELECT s.id INTO subscription FROM public.webhook_subscription s
  WHERE s.tenant_id = _payout.tenant_id AND s.enabled AND _event ->> 'type' = ANY (s.enabled_events);
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  INSERT INTO public.webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, next_attempt_at)
  VALUES (
    _payout.tenant_id, _event ->> 'delivery_id', _event ->> 'id', _event ->> 'type', subscription, now()
  );
  ${jobInsert({
    task: 'deliver_webhook',
    tenant: '_payout.tenant_id',
    payload: { deliveryId: "_event ->> 'delivery_id'" },
    trace: "_event -> '_trace'",
  })}
  RETURN true;`,
});

/** An event as `recordEvent` takes it, for a command that takes it among other things; null records none. */
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
