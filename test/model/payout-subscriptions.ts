import type { Pool, PoolClient } from 'pg';
import { inTransaction } from '../../src/db/pool.ts';
import { deleteSubscription } from '../../src/domain/webhook/subscription/delete.ts';
import { deliverWebhook } from '../../src/domain/webhook/delivery/deliver.ts';
import { registerSubscription } from '../../src/domain/webhook/subscription/register.ts';
import type { WebhookSender } from '../../src/domain/webhook/delivery/sender.ts';
import type { Call } from '../../src/process/services.ts';

/** The subscriptions that a tenant has had, one after the other, by their ids. */
export interface Subscriptions {
  readonly urls: Map<string, string>;
  current: string;
}

const everyEvent = [
  'payout.disbursement_submitted',
  'payout.acknowledged',
  'payout.estimated_arrival_at',
  'payout.disbursed',
  'payout.settled',
  'payout.failed',
  'payout.returned',
];

export async function subscribe(call: Call, subscriptions: Subscriptions): Promise<void> {
  const url = `https://127.0.0.1:9/subscription-${subscriptions.urls.size}`;
  const { subscription } = await registerSubscription(call, { url, enabledEvents: everyEvent });
  subscriptions.urls.set(subscription.id, url);
  subscriptions.current = subscription.id;
}

/**
 * Deletes the subscription and makes another. What `meanwhile` records is planned for the deleted one,
 * and the deletion does not see it: the two transactions overlap.
 */
export async function resubscribe(
  call: Call,
  subscriptions: Subscriptions,
  meanwhile: (client: PoolClient) => Promise<unknown>,
): Promise<void> {
  await inTransaction(call.services.pool, async (client) => {
    await meanwhile(client);
    await deleteSubscription(call);
  });
  await subscribe(call, subscriptions);
}

/** Runs the jobs of some deliveries that are due: what was sent where, and what should have been. */
export async function deliver(
  call: Call,
  owner: Pool,
  { urls, current }: Subscriptions,
): Promise<{ got: unknown; expected: unknown }> {
  const { tenantId } = call.scope;
  const { rows: due } = await owner.query<{ id: string; subscriptionId: string }>(
    `SELECT id, subscription_id AS "subscriptionId" FROM webhook_delivery
     WHERE tenant_id = $1 AND status = 'pending' ORDER BY id LIMIT 10`,
    [tenantId],
  );
  const sent: string[] = [];
  const sender: WebhookSender = {
    lanes: { enter: () => ({ granted: true, giveSlotBack: () => false, leave: () => null }) },
    post: (url, headers) => {
      sent.push(`${headers['X-Event-Id'] ?? ''} to ${url}`);
      const answer = { kind: 'answer', status: 200, latencyMs: 1, excerpt: '', retryAfterMs: null };
      return Promise.resolve(answer as Awaited<ReturnType<WebhookSender['post']>>);
    },
    deadlineMs: 15_000,
    slotMs: 60_000,
    goOn: () => undefined,
    close: () => Promise.resolve(),
  };
  for (const { id } of due) await deliverWebhook(call, id, { sender });
  const { rows: after } = await owner.query<{ id: string; eventId: string; status: string }>(
    `SELECT id, event_id AS "eventId", status FROM webhook_delivery
     WHERE tenant_id = $1 AND id = ANY ($2) ORDER BY id`,
    [tenantId, due.map(({ id }) => id)],
  );
  const toCurrent = due.map(({ subscriptionId }) => subscriptionId === current);
  return {
    got: { sent, statuses: after.map(({ status }) => status) },
    expected: {
      sent: after
        .filter((_one, index) => toCurrent[index])
        .map(({ eventId }) => `${eventId} to ${urls.get(current) ?? ''}`),
      statuses: toCurrent.map((still) => (still ? 'delivered' : 'canceled')),
    },
  };
}
