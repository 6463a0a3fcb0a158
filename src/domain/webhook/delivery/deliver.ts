import { crashPoint } from '../../../process/crash-point.ts';
import { sign, signatureHeader } from '../../../crypto/signature.ts';
import { standardHeaders } from '../../../crypto/standard-webhooks.ts';
import type { PostOutcome } from '../../../net/post.ts';
import type { Call } from '../../../process/services.ts';
import { traced, traceHeaders } from '../../../process/tracing.ts';
import {
  cancelOrphanDelivery,
  findDueDelivery,
  leaseDelivery,
  putOffDelivery,
  recordAttemptMade,
  type AttemptMade,
  type DueDelivery,
  type DueSubscription,
} from './delivery-store.ts';
import { envelopeBytes } from './envelope.ts';
import type { AttemptResult, Recall } from '../schedule/lane.ts';
import { postponeDelivery, recallDeliveries } from '../schedule/queue-store.ts';
import { longestWait, nextAttempt } from '../schedule/schedule.ts';
import { openSecret } from '../subscription/secret.ts';
import { webhookSenderOf, type WebhookSender } from './sender.ts';

const userAgent = 'payout-orchestration-service webhooks';

/** What a job of a delivery may be told besides which one it is. */
interface DeliverOptions {
  readonly sender?: WebhookSender;
  /** The delivery is sent again among many, and gives way to the tenant's others. */
  readonly replay?: boolean;
}

/**
 * Makes one attempt of a delivery, as a job: loads it, posts it outside any transaction, then commits
 * the attempt, its outcome and the next job together. A job that dies in between runs again and sends
 * the same event id again. Does nothing for a delivery that has ended or is not due.
 *
 * Returns before the attempt has ended if it takes long, so that the worker's slot is free for
 * others. The delivery's row then says when to send it again if the process dies.
 */
export async function deliverWebhook(
  call: Call,
  deliveryId: string,
  { sender = webhookSenderOf(call.services), replay = false }: DeliverOptions = {},
): Promise<void> {
  const { scope, services } = call;
  crashPoint('webhook_taken');
  const entry = sender.lanes.enter(scope.tenantId, replay);
  if (!entry.granted) {
    await postponeDelivery(services.pool, scope, { deliveryId, replay, waitMs: entry.waitMs });
    return;
  }
  let ready: ReadyDelivery | null = null;
  try {
    ready = await loadReady(call, deliveryId);
  } finally {
    if (ready === null) entry.leave(null);
  }
  if (ready === null) return;
  crashPoint('webhook_loaded');
  const attempt = attemptAndLeave(call, ready, sender, entry.leave);
  const handedOver =
    !(await endsWithin(attempt, sender.slotMs)) &&
    entry.giveSlotBack() &&
    (await leaseDelivery(services.pool, scope, ready, sender.deadlineMs));
  if (handedOver) sender.goOn(attempt);
  else await attempt;
}

interface ReadyDelivery {
  readonly deliveryId: string;
  readonly delivery: DueDelivery;
  readonly subscription: DueSubscription;
}

/** The delivery when it can be sent now; null when it has ended, is not due or has nowhere to go. */
async function loadReady(call: Call, deliveryId: string): Promise<ReadyDelivery | null> {
  const { scope, services } = call;
  const delivery = await findDueDelivery(services.pool, scope, deliveryId);
  if (delivery === null) return null;
  const { subscription } = delivery;
  if (subscription?.enabled === true) return { deliveryId, delivery, subscription };
  if (subscription === null) await cancelOrphanDelivery(services.pool, scope, deliveryId);
  else await putOffDelivery(services.pool, scope, deliveryId);
  return null;
}

/** Whether the work ends, well or badly, within a time; it goes on in any case. */
async function endsWithin(work: Promise<void>, ms: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), ms);
  const ended = (): void => resolve(true);
  work.then(ended, ended);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** One attempt to its end, whether the job waits for it or not. */
async function attemptAndLeave(
  call: Call,
  ready: ReadyDelivery,
  sender: WebhookSender,
  leave: (result: AttemptResult | null) => Recall | null,
): Promise<void> {
  const { scope, services } = call;
  let result: AttemptResult | null = null;
  let recall: Recall | null;
  try {
    result = await attempt(call, ready, sender);
  } finally {
    recall = leave(result);
  }
  crashPoint('webhook_recorded');
  if (recall === null) return;
  const longest = longestWait(services.config.WEBHOOK_RETRY_DELAYS);
  await recallDeliveries(services.pool, scope, recall, longest);
}

/** Posts and records. */
async function attempt(
  { scope, services }: Call,
  { deliveryId, delivery, subscription }: ReadyDelivery,
  sender: WebhookSender,
): Promise<AttemptResult> {
  // Subscribers refuse a signature whose time is far from theirs.
  const startedAt = services.clock.now();
  const body = envelopeBytes(delivery, subscription.apiVersion, startedAt);
  const secret = openSecret(
    services.keyring,
    scope,
    subscription.id,
    subscription.secretCiphertext,
  );
  const timestamp = Math.floor(startedAt.getTime() / 1_000);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    [signatureHeader]: sign(secret, timestamp, body),
    ...standardHeaders(secret, delivery.eventId, timestamp, body),
    'X-Event-Id': delivery.eventId,
    'X-Event-Type': delivery.type,
    'X-Delivery-Attempt': String(delivery.attempts + 1),
  };
  const outcome = await traced({ name: 'webhook', kind: 'client' }, async (note) => {
    const answer = await sender.post(subscription.url, { ...headers, ...traceHeaders() }, body);
    const told = outcomeOf(answer);
    note({ attributes: { 'payouts.outcome': told }, failed: told !== 'delivered' });
    return answer;
  });
  crashPoint('webhook_sent');
  const made = toAttempt(outcome, startedAt, services.config.WEBHOOK_RETRY_DELAYS);
  const recorded = await recordAttemptMade(services.pool, scope, deliveryId, made);
  services.metrics?.webhookAttempt(outcomeOf(outcome));
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

/** The outcome as the metrics count it: few values, none of them the endpoint's own words. */
function outcomeOf(outcome: PostOutcome): string {
  if (outcome.kind === 'error') return outcome.code;
  const hundreds = Math.floor(outcome.status / 100);
  return hundreds === 2 ? 'delivered' : `answer_${hundreds}xx`;
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

/** The wait after each possible failure; the statement that records the attempt knows which one it is. */
function waits(delays: readonly number[], retryAfterMs: number | null): number[] {
  const now = new Date(0); // a wait, not a time: it is added to the database's clock
  return delays.flatMap((_delay, index) => {
    const next = nextAttempt({ attempt: index + 1, now, retryAfterMs, delays });
    return next === null ? [] : [next.getTime()];
  });
}
