import type { PoolClient } from 'pg';
import type { WebhookSubscription } from '../../../../generated/prisma/client.ts';
import type { Call } from '../../../process/services.ts';
import { enqueue } from '../../../queue/queue.ts';
import type { EventType } from '../../event/types.ts';
import { noteAddress } from './address.ts';
import { sealSecret } from './secret.ts';
import {
  changeSubscription,
  replaceRegistration,
  type SubscriptionChange,
} from './subscription-store.ts';

/** What a registration asks for. */
export interface Wanted {
  readonly url: string;
  readonly enabledEvents: readonly EventType[];
  readonly secret: string;
}

/** The secret is encrypted for its row, so the row's id must be known first. */
export const sealed = (
  { scope, services }: Call,
  id: string,
  { url, enabledEvents, secret }: Wanted,
) => ({
  id,
  url,
  enabledEvents,
  secretCiphertext: sealSecret(services.keyring, scope, id, secret),
});

/** Writes a registration over the subscription. Null when it is no longer there. */
export async function applyRegistration(
  client: PoolClient,
  call: Call,
  id: string,
  { enables, ...wanted }: Wanted & { readonly enables: boolean },
): Promise<WebhookSubscription | null> {
  const replaced = await replaceRegistration(client, call.scope, sealed(call, id, wanted));
  if (replaced === null) return null;
  await noteAddress(client, call.scope, replaced);
  if (!enables) return replaced;
  return applyChange(client, call, { url: null, enabledEvents: null, enabled: true });
}

/** Changes what is not null. Null when there is no subscription. */
export async function applyChange(
  client: PoolClient,
  { scope }: Call,
  change: SubscriptionChange,
): Promise<WebhookSubscription | null> {
  const result = await changeSubscription(client, scope, change);
  if (result === null) return null;
  if (result.resumed > 0) {
    // One job finds them in batches. Thousands of jobs in this transaction would delay others.
    await enqueue(client, 'sweep_webhooks', { after: null }, { jobKey: 'sweep_webhooks' });
  }
  await noteAddress(client, scope, result.subscription);
  return result.subscription;
}
