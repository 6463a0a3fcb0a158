import type { WebhookSubscription } from '../../../../generated/prisma/client.ts';
import { requirePermission } from '../../../access/scope.ts';
import { retryOnConflict } from '../../../db/retry.ts';
import { currentApiVersion } from '../../../values/api-version.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import { newId } from '../../../values/ids.ts';
import type { Call } from '../../../process/services.ts';
import { parseInput } from '../../../values/validate.ts';
import { requireTarget, subscriptionInput } from './input.ts';
import { makeSecret, sealSecret } from './secret.ts';
import { addSubscription, findSubscriptionId, replaceRegistration } from './subscription-store.ts';

export interface RegisteredSubscription {
  readonly subscription: WebhookSubscription;
  /** Shown here and never again. */
  readonly secret: string;
  /** False when there was one, whose secret, URL and event types were replaced. */
  readonly created: boolean;
}

/**
 * Registers the tenant's one webhook endpoint or, where there is one, replaces its URL and event
 * types and rotates its secret: from the next attempt on, the old one signs nothing. Whether it is
 * enabled, and its `api_version`, stay. Throws validation_failed, forbidden.
 */
export async function registerSubscription(
  call: Call,
  given: { readonly url: string; readonly enabledEvents: readonly string[] },
): Promise<RegisteredSubscription> {
  const { scope, services } = call;
  requirePermission(scope, 'webhooks:write');
  const input = parseInput(subscriptionInput, given);
  await requireTarget(services, input.url);
  const secret = makeSecret(scope.environment);
  // A deletion may come between.
  const registered = await retryOnConflict(async () => {
    // The secret is encrypted for its row, so the row's id must be known first. The statement that
    // follows applies to that id alone.
    const knownId = await findSubscriptionId(services.pool, scope);
    const id = knownId ?? newId('webhookSubscription');
    const secretCiphertext = sealSecret(services.keyring, scope, id, secret);
    const registration = { ...input, id, secretCiphertext };
    const subscription =
      knownId === null
        ? await addSubscription(services.pool, scope, registration, currentApiVersion)
        : await replaceRegistration(services.pool, scope, registration);
    return subscription === null ? null : { subscription, secret, created: knownId === null };
  });
  if (registered === null) {
    throw new DomainError('conflict', {
      message: 'Another request changed the subscription at the same time; send the request again.',
    });
  }
  return registered;
}
