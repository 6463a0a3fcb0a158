import type { PoolClient } from 'pg';
import type { WebhookSubscription } from '../../../../generated/prisma/client.ts';
import { requirePermission } from '../../../access/scope.ts';
import { lockActing } from '../../access/governance.ts';
import { inTransaction } from '../../../db/pool.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import type { Call } from '../../../process/services.ts';
import { parseInput } from '../../../values/validate.ts';
import type { EventType } from '../../event/types.ts';
import { decideAddress, proposeAddress, withdrawAddress } from './address.ts';
import { requireTarget, subscriptionChange } from './input.ts';
import { applyChange, applyRegistration } from './apply.ts';
import { lockSubscription } from './subscription-store.ts';

/** As a caller gives it; null is refused, since nothing of a subscription can be cleared. */
export interface SubscriptionUpdate {
  readonly url?: string | null | undefined;
  readonly enabledEvents?: readonly string[] | null | undefined;
  readonly enabled?: boolean | null | undefined;
}

/**
 * Changes the tenant's subscription without rotating its secret. While it is disabled, events are
 * recorded and no deliveries of them are planned. Deliveries that were planned before wait, and
 * enabling the subscription makes them due at once. In production another URL waits until a second owner or admin
 * sends it, where the business has one; the URL that is there takes back one that waits. Throws validation_failed,
 * not_found, forbidden; unauthorized as `lockActing`.
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
    await lockActing(client, scope);
    const known = await lockSubscription(client, scope);
    if (known === null) return null;
    const url = input.url === undefined ? null : await addressOf(client, call, known, input.url);
    return applyChange(client, call, {
      url,
      enabledEvents: input.enabledEvents ?? null,
      enabled: input.enabled ?? null,
    });
  });
  if (changed === null) throw new DomainError('not_found');
  return changed;
}

/** The address to be written; null where none is, or where it was written with the secret of its registration. */
async function addressOf(
  client: PoolClient,
  call: Call,
  known: WebhookSubscription,
  url: string,
): Promise<string | null> {
  if (url === known.url) {
    await withdrawAddress(client, call.scope);
    return null;
  }
  const decision = await decideAddress(client, call, { url, registers: false });
  if (decision.is === 'proposed') {
    await proposeAddress(client, call, known, decision.instead ?? { url });
  }
  if (decision.is !== 'applied') return null;
  const { secret, enables = false } = decision.proposed ?? {};
  if (secret === undefined) return url;
  // Input is checked for the types, so the row holds no others.
  const enabledEvents = known.enabledEvents as EventType[];
  await applyRegistration(client, call, known.id, { url, enabledEvents, secret, enables });
  return null;
}
