import { crashPoint } from '../../crash-point.ts';
import { sign, signatureHeader } from '../../crypto/signature.ts';
import { inTransaction } from '../../db/pool.ts';
import type { PostOutcome } from '../../net/post.ts';
import type { Call } from '../../services.ts';
import {
  cancelOrphanDelivery,
  findDueDelivery,
  putOffDelivery,
  recordAttemptMade,
  type AttemptMade,
  type DueDelivery,
  type DueSubscription,
} from './delivery-store.ts';
import { envelopeBytes } from './envelope.ts';
import type { Answered, Recall } from './lanes.ts';
import { postponeDelivery, recallDeliveries } from './queue-store.ts';
import { longestWait, nextAttempt } from './schedule.ts';
import { openSecret } from './secret.ts';
import { webhookSenderOf, type WebhookSender } from './sender.ts';

const userAgent = 'payout-orchestration-service webhooks';

/**
 * Makes one attempt of a delivery, as a job (specification 6.4, decisions 9): loads it, posts it
 * outside any transaction, then commits the attempt, its outcome and the next job together. A job
 * that dies in between runs again and sends the same event id again. Does nothing for a delivery
 * that has ended or is not due.
 */
export async function deliverWebhook(
  call: Call,
  deliveryId: string,
  sender: WebhookSender = webhookSenderOf(call.services),
): Promise<void> {
  const { scope, services } = call;
  const entry = sender.lanes.enter(scope.tenantId);
  if (!entry.granted) {
    await inTransaction(services.pool, (client) =>
      postponeDelivery(client, scope, deliveryId, entry.waitMs),
    );
    return;
  }
  let answered: Answered | null = null;
  let recall: Recall | null;
  try {
    const delivery = await findDueDelivery(services.pool, scope, deliveryId);
    if (delivery === null) return;
    const { subscription } = delivery;
    if (subscription === null) await cancelOrphanDelivery(services.pool, scope, deliveryId);
    else if (!subscription.enabled) await putOffDelivery(services.pool, scope, deliveryId);
    else answered = await attempt(call, deliveryId, delivery, subscription, sender);
  } finally {
    recall = entry.leave(answered);
  }
  if (recall !== null) {
    const longest = longestWait(services.config.WEBHOOK_RETRY_DELAYS);
    await recallDeliveries(services.pool, scope, recall, longest);
  }
}

/** Posts and records. */
async function attempt(
  call: Call,
  deliveryId: string,
  delivery: DueDelivery,
  subscription: DueSubscription,
  sender: WebhookSender,
): Promise<Answered> {
  const { scope, services } = call;
  const startedAt = new Date();
  const body = envelopeBytes(delivery, subscription.apiVersion, startedAt);
  const secret = openSecret(
    services.keyring,
    scope,
    subscription.id,
    subscription.secretCiphertext,
  );
  const outcome = await sender.post(
    subscription.url,
    {
      'Content-Type': 'application/json',
      'User-Agent': userAgent,
      [signatureHeader]: sign(secret, Math.floor(startedAt.getTime() / 1_000), body),
      'X-Event-Id': delivery.eventId,
      'X-Event-Type': delivery.type,
      'X-Delivery-Attempt': String(delivery.attempts + 1),
    },
    body,
  );
  crashPoint('webhook_sent');
  const made = toAttempt(outcome, startedAt, services.config.WEBHOOK_RETRY_DELAYS);
  const recorded = await inTransaction(services.pool, (client) =>
    recordAttemptMade(client, scope, deliveryId, made),
  );
  const level = recorded.status === 'dead' ? 'warn' : 'debug';
  services.log[level](
    {
      tenant_id: scope.tenantId,
      delivery_id: deliveryId,
      attempt: recorded.attempts,
      status: recorded.status,
      status_code: made.statusCode,
    },
    'webhook attempt',
  );
  return { tookMs: outcome.latencyMs, delivered: made.delivered };
}

function toAttempt(outcome: PostOutcome, startedAt: Date, delays: readonly number[]): AttemptMade {
  const { latencyMs } = outcome;
  if (outcome.kind === 'error') {
    return {
      delivered: false,
      waitsMs: waits(delays, null),
      startedAt,
      latencyMs,
      statusCode: null,
      answer: null,
      error: `${outcome.code}: ${outcome.message}`,
    };
  }
  return {
    delivered: outcome.status >= 200 && outcome.status <= 299,
    waitsMs: waits(delays, outcome.retryAfterMs),
    startedAt,
    latencyMs,
    statusCode: outcome.status,
    answer: outcome.excerpt,
    error: null,
  };
}

/** The wait after each possible failure: which one it was, the statement that records it knows. */
function waits(delays: readonly number[], retryAfterMs: number | null): number[] {
  const now = new Date(0); // a wait, not a time: it is added to the database's clock
  return delays.flatMap((_delay, index) => {
    const next = nextAttempt({ attempt: index + 1, now, retryAfterMs, delays });
    return next === null ? [] : [next.getTime()];
  });
}
