import type { PoolClient } from 'pg';
import { withTrace } from '../../process/tracing.ts';
import { newId } from '../../values/ids.ts';
import { enqueue, type JobOptions } from '../../queue/queue.ts';
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

/** The key of the job that deliveries with this `sent_with` share (record-events.sql). */
export const togetherKey = (sentWith: string): string => `with ${sentWith}`;

/** An event as commands take it (payout-event.sql) among other things; null records none. */
export function eventFields(draft: EventDraft | null): object | null {
  if (draft === null) return null;
  const { type, discriminator = '', tail } = draft;
  const ids = { id: newId('event'), delivery_id: newId('webhookDelivery') };
  return withTrace({ ...ids, type, discriminator, tail });
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
