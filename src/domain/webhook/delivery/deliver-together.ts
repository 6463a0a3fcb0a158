import type { Call } from '../../../process/services.ts';
import { enqueueMissing } from '../../../queue/queue.ts';
import { deliverWebhook } from './deliver.ts';
import { webhookSenderOf, type WebhookSender } from './sender.ts';

/** How long a job begins further deliveries: a slot that others wait for is kept little longer than by one. */
const turnMs = 250;

/**
 * Makes one attempt of each of several deliveries, one after the other, as a job. Those that are left when its turn is
 * over get jobs of their own. So do one that fails, whose own job then tells why, and those after it.
 *
 * @param turn how long it begins further ones, in milliseconds
 */
export async function deliverTogether(
  call: Call,
  deliveryIds: readonly string[],
  sender: WebhookSender = webhookSenderOf(call.services),
  turn = turnMs,
): Promise<void> {
  const until = performance.now() + turn;
  for (const [index, deliveryId] of deliveryIds.entries()) {
    if (index > 0 && performance.now() > until) return part(call, deliveryIds.slice(index));
    try {
      await deliverWebhook(call, deliveryId, { sender });
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unknown';
      call.services.log.warn(
        { tenant_id: call.scope.tenantId, delivery_id: deliveryId, message },
        'a delivery failed and is tried again by itself',
      );
      return part(call, deliveryIds.slice(index));
    }
  }
}

/** Gives each delivery a job of its own, but none to one that has it: an earlier run may have come this far. */
async function part(
  { services, scope: { tenantId } }: Call,
  deliveryIds: readonly string[],
): Promise<void> {
  const jobs = deliveryIds.map((deliveryId) => ({ payload: { tenantId, deliveryId } }));
  await enqueueMissing(services.pool, 'deliver_webhook', jobs);
}
