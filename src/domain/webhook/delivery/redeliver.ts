import type { WebhookDelivery } from '../../../../generated/prisma/client.ts';
import { requirePermission } from '../../../access/scope.ts';
import { inTransaction } from '../../../db/pool.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import { isId } from '../../../values/ids.ts';
import type { Call } from '../../../process/services.ts';
import { enqueueDelivery } from '../../event/record.ts';
import { deliveryExists, restartDelivery } from './command-store.ts';

/**
 * Sends a delivery again, whatever became of it: the same event id, a fresh budget of attempts, the
 * earlier attempts kept. Throws not_found, conflict (no subscription, or a disabled one), forbidden.
 */
export async function redeliverWebhook(call: Call, deliveryId: string): Promise<WebhookDelivery> {
  const { scope, services } = call;
  requirePermission(scope, 'webhooks:write');
  if (!isId('webhookDelivery', deliveryId)) throw new DomainError('not_found');
  const delivery = await inTransaction(services.pool, async (client) => {
    const restarted = await restartDelivery(client, scope, deliveryId);
    if (restarted !== null) await enqueueDelivery(client, scope.tenantId, deliveryId);
    return restarted;
  });
  if (delivery !== null) return delivery;
  if (!(await deliveryExists(services.pool, scope, deliveryId))) throw new DomainError('not_found');
  throw new DomainError('conflict', {
    message:
      'There is no enabled webhook subscription to deliver to; POST or PATCH /v1/webhook-subscriptions first.',
  });
}
