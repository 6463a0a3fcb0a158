import type { WebhookDelivery } from '../../../../generated/prisma/client.ts';
import { admitWebhookTest } from '../../../access/rate-limit/webhook-tests.ts';
import { requirePermission } from '../../../access/scope.ts';
import { inTransaction } from '../../../db/pool.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import { newId } from '../../../values/ids.ts';
import type { Call } from '../../../process/services.ts';
import { enqueueDelivery } from '../../event/record.ts';
import { insertTestDelivery } from './command-store.ts';
import { findSubscriptionId } from '../subscription/subscription-store.ts';

/** The fields that every event has, so that the test tries the receiver's parser as well. */
function sampleData(): Record<string, string | null> {
  return {
    // Well-formed ids that name nothing.
    payout_id: newId('payout'),
    external_ref: 'webhook-test',
    beneficiary_id: newId('beneficiary'),
    amount: '10.00',
    currency: 'USD',
    rail_ref: null,
    status: 'test',
  };
}

/**
 * Sends an event of the type `webhook.test` to the tenant's endpoint, on the same path as any other
 * and whichever types are enabled. Throws not_found without a subscription, conflict when it is
 * disabled, forbidden, too_many_requests beyond WEBHOOK_TESTS_PER_HOUR.
 */
export async function testWebhook(call: Call): Promise<WebhookDelivery> {
  const { scope, services } = call;
  requirePermission(scope, 'webhooks:write');
  const delivery = await inTransaction(services.pool, async (client) => {
    const inserted = await insertTestDelivery(client, scope, sampleData());
    if (inserted === null) return null;
    await enqueueDelivery(client, scope.tenantId, inserted.id);
    await admitWebhookTest(client, services.config, scope);
    return inserted;
  });
  if (delivery !== null) return delivery;
  if ((await findSubscriptionId(services.pool, scope)) === null) throw new DomainError('not_found');
  throw new DomainError('conflict', {
    message:
      'The webhook subscription is disabled; enable it with PATCH /v1/webhook-subscriptions first.',
  });
}
