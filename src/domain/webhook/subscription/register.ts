import type { PoolClient } from 'pg';
import type { WebhookSubscription } from '../../../../generated/prisma/client.ts';
import { requirePermission } from '../../../access/scope.ts';
import { lockActing } from '../../access/governance.ts';
import { inTransaction } from '../../../db/pool.ts';
import { retryOnConflict } from '../../../db/retry.ts';
import { currentApiVersion } from '../../../values/api-version.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import { newId } from '../../../values/ids.ts';
import type { Call } from '../../../process/services.ts';
import { parseInput } from '../../../values/validate.ts';
import { findAddress } from './address-store.ts';
import { decideAddress, noteAddress, proposeAddress, withdrawAddress } from './address.ts';
import { requireTarget, subscriptionInput } from './input.ts';
import { applyChange, applyRegistration, sealed, type Wanted } from './apply.ts';
import { makeSecret } from './secret.ts';
import { addSubscription, lockSubscription } from './subscription-store.ts';

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
 * enabled, and its `api_version`, stay. In production another URL waits for a second owner or admin where the business
 * has one, and the secret with it; the event types change at once. Throws validation_failed, forbidden; unauthorized
 * as `lockActing`.
 */
export async function registerSubscription(
  call: Call,
  given: { readonly url: string; readonly enabledEvents: readonly string[] },
): Promise<RegisteredSubscription> {
  const { scope, services } = call;
  requirePermission(scope, 'webhooks:write');
  const input = parseInput(subscriptionInput, given);
  await requireTarget(services, input.url);
  const wanted = { ...input, secret: makeSecret(scope.environment) };
  // A deletion may come between.
  const registered = await retryOnConflict(() =>
    inTransaction(services.pool, async (client) => {
      await lockActing(client, scope);
      const known = await lockSubscription(client, scope);
      const subscription =
        known === null
          ? await add(client, call, wanted)
          : await replace(client, call, known, wanted);
      return { subscription, secret: wanted.secret, created: known === null };
    }).catch((error: unknown) => {
      if (error instanceof CameSecond) return null;
      throw error;
    }),
  );
  if (registered === null) {
    throw new DomainError('conflict', {
      message: 'Another request changed the subscription at the same time; send the request again.',
    });
  }
  return registered;
}

/** Another request was faster, so the transaction has to be undone with the answer that it gave to a proposal. */
class CameSecond extends Error {}

/** Throws CameSecond. */
async function add(client: PoolClient, call: Call, wanted: Wanted): Promise<WebhookSubscription> {
  const { scope } = call;
  const id = newId('webhookSubscription');
  const last = scope.environment === 'sandbox' ? null : await findAddress(client, scope);
  const other = last !== null && last !== wanted.url ? last : null;
  const { url } = wanted;
  const decision =
    other === null ? null : await decideAddress(client, call, { url, registers: true });
  // Until the new address is confirmed there is only the one of before, to which nothing is sent.
  const waits = other !== null && decision?.is === 'proposed' ? other : null;
  const registration = sealed(call, id, { ...wanted, url: waits ?? url });
  const enabled = waits === null;
  const made = await addSubscription(client, scope, registration, {
    apiVersion: currentApiVersion,
    enabled,
  });
  if (made === null) throw new CameSecond('the subscription was made by another request');
  if (waits === null) await noteAddress(client, scope, made);
  else await proposeAddress(client, call, made, { url, secret: wanted.secret, enables: true });
  return made;
}

function found(subscription: WebhookSubscription | null): WebhookSubscription {
  if (subscription !== null) return subscription;
  throw new CameSecond('the subscription was deleted by another request');
}

/** Throws CameSecond. */
async function replace(
  client: PoolClient,
  call: Call,
  known: WebhookSubscription,
  wanted: Wanted,
): Promise<WebhookSubscription> {
  const { scope } = call;
  const { url, enabledEvents } = wanted;
  let enables = false;
  if (url === known.url) await withdrawAddress(client, scope);
  else {
    const decision = await decideAddress(client, call, { url, registers: true });
    if (decision.is !== 'applied') {
      // A subscription that was made anew sends nothing yet, however often its registration is sent.
      const waits = decision.is === 'proposed' && decision.instead?.enables === true;
      const proposal = { url, secret: wanted.secret, ...(waits && { enables: true }) };
      await proposeAddress(client, call, known, proposal);
      return found(await applyChange(client, call, { url: null, enabledEvents, enabled: null }));
    }
    enables = decision.proposed?.enables === true;
  }
  return found(await applyRegistration(client, call, known.id, { ...wanted, enables }));
}
