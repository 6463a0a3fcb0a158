import type { WebhookSubscription } from '../../../../generated/prisma/client.ts';
import { requirePermission } from '../../../access/scope.ts';
import { inTransaction } from '../../../db/pool.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import { enqueue } from '../../../queue/queue.ts';
import type { Call } from '../../../process/services.ts';
import { parseInput } from '../../../values/validate.ts';
import { requireTarget, subscriptionChange } from './input.ts';
import { changeSubscription } from './subscription-store.ts';

/** As a caller gives it; null is refused, since nothing of a subscription can be cleared. */
export interface SubscriptionUpdate {
  readonly url?: string | null | undefined;
  readonly enabledEvents?: readonly string[] | null | undefined;
  readonly enabled?: boolean | null | undefined;
}

/**
 * Changes the tenant's subscription without rotating its secret. While it is disabled, events are
 * recorded and no deliveries of them are planned. Deliveries that were planned before wait, and
 * enabling the subscription makes them due at once. Throws validation_failed, not_found, forbidden.
 */
export async function updateSubscription(
  call: Call,
  given: SubscriptionUpdate,
): Promise<WebhookSubscription> {
  const { scope, services } = call;
  requirePermission(scope, 'webhooks:write');
  const input = parseInput(subscriptionChange, given);
  if (input.url !== undefined) await requireTarget(services, input.url);
  const changed = await inTransaction(services.pool, async (client) => {
    const change = {
      url: input.url ?? null,
      enabledEvents: input.enabledEvents ?? null,
      enabled: input.enabled ?? null,
    };
    const result = await changeSubscription(client, scope, change);
    if (result !== null && result.resumed > 0) {
      // One job finds them in batches. Thousands of jobs in this transaction would delay others.
      await enqueue(client, 'sweep_webhooks', { after: null }, { jobKey: 'sweep_webhooks' });
    }
    return result;
  });
  if (changed === null) throw new DomainError('not_found');
  return changed.subscription;
}
