import { inTransaction } from '../../../db/pool.ts';
import type { Call } from '../../../process/services.ts';
import { enqueueMany } from '../../../queue/queue.ts';
import { jobKeyOf } from '../../../queue/tasks.ts';
import { deliverWebhook } from './deliver.ts';
import { webhookSenderOf, type WebhookSender } from './sender.ts';

/**
 * Makes one attempt of each of several deliveries, one after the other, as a job. Those that are left when it has
 * taken as long as one attempt may hold a slot get jobs of their own, so that none waits for a slow endpoint longer
 * than if it had come alone. So do one that fails, whose own job then tells why, and those after it.
 */
export async function deliverTogether(
  call: Call,
  deliveryIds: readonly string[],
  sender: WebhookSender = webhookSenderOf(call.services),
): Promise<void> {
  const until = performance.now() + sender.slotMs;
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

/** Gives each delivery a job of its own. */
function part(
  { services, scope: { tenantId } }: Call,
  deliveryIds: readonly string[],
): Promise<void> {
  const payloads = deliveryIds.map((deliveryId) => ({ tenantId, deliveryId }));
  const options = payloads.map((payload) => ({ jobKey: jobKeyOf('deliver_webhook', payload) }));
  return inTransaction(services.pool, (client) =>
    enqueueMany(client, 'deliver_webhook', payloads, options),
  );
}
