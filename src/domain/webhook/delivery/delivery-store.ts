import type { Pool } from 'pg';
import type { Scope } from '../../../access/scope.ts';
import type { WebhookDelivery } from '../../../../generated/prisma/client.ts';
import { createGather } from '../../../db/gather.ts';
import { inTransaction, rows, type Queryable, type Statement } from '../../../db/pool.ts';
import { enqueueDelivery } from '../../event/record.ts';
import {
  recordFailedWebhookAttempt,
  recordWebhookAttempts,
  wantedWebhookDeliveries,
} from './commands.gen.ts';
import type { RecordedEvent } from './envelope.ts';

export const deliveryStatuses = ['pending', 'delivered', 'dead', 'canceled'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** A delivery whose time has come, with all that an attempt needs. */
export interface DueDelivery extends RecordedEvent {
  /** Attempts made so far. */
  readonly attempts: number;
  /** Null when the subscription is gone. */
  readonly subscription: DueSubscription | null;
}

export interface DueSubscription {
  readonly id: string;
  readonly url: string;
  readonly enabled: boolean;
  readonly apiVersion: string;
  readonly secretCiphertext: Uint8Array;
}

/*
 * Statements about one delivery ask for its time, which only a pending one has, and not for its status: for a pending
 * one PostgreSQL could read all that wait, by the index of those, whose statistics often say that there are none.
 */

/** Reads the deliveries of one tenant that are wanted at the same time. */
const finding = createGather<string, DueDelivery | null>(async (tenant, ids, pool) => {
  const found = await wantedWebhookDeliveries(pool, tenant, { deliveries: ids });
  const due = new Map(found.map((row) => [row.id, dueOf(row)]));
  return ids.map((id) => due.get(id) ?? null);
});

type DueRow = Awaited<ReturnType<typeof wantedWebhookDeliveries>>[number];

function dueOf(row: DueRow): DueDelivery {
  const { subscriptionId: id, url, enabled, apiVersion, secretCiphertext } = row;
  const { attempts, eventId, type, sequence, occurredAt, data } = row;
  const subscription = id === null ? null : { id, url, enabled, apiVersion, secretCiphertext };
  return { attempts, eventId, type, sequence, occurredAt, data, subscription };
}

/** The delivery, or null when it is not there, has ended or is not due. */
export function findDueDelivery(
  pool: Pool,
  scope: Scope,
  deliveryId: string,
): Promise<DueDelivery | null> {
  return finding.do(pool, scope.tenantId, deliveryId);
}

/** Locks the subscription, so that enabling it and putting a delivery off do not miss each other. */
const putOff: Statement = {
  name: 'put_off_webhook_delivery',
  text: `
    WITH disabled AS (
      SELECT s.id FROM webhook_subscription s WHERE s.tenant_id = $1 AND NOT s.enabled FOR SHARE
    )
    UPDATE webhook_delivery d SET next_attempt_at = now() + interval '1 hour'
    FROM disabled s
    WHERE d.tenant_id = $1 AND d.id = $2 AND d.subscription_id = s.id AND d.next_attempt_at IS NOT NULL`,
};

/**
 * Puts a delivery off while its subscription is disabled, without counting an attempt. Enabling the
 * subscription makes it due. Should that be missed, the sweeper finds it after an hour.
 */
export async function putOffDelivery(
  client: Queryable,
  scope: Scope,
  deliveryId: string,
): Promise<void> {
  await rows(client, putOff, [scope.tenantId, deliveryId]);
}

/** How long it may take, after the deadline of an attempt, to record it in a busy database. */
const leaseGraceMs = 15_000;

/** The number of attempts must still be the one that the job found: a later attempt set its own time. */
const lease: Statement = {
  name: 'lease_webhook_delivery',
  text: `
    UPDATE webhook_delivery d SET next_attempt_at = now() + $4::float8 * interval '1 millisecond'
    WHERE d.tenant_id = $1 AND d.id = $2 AND d.attempts = $3
      AND d.next_attempt_at <= now() + interval '1 second'`,
};

/**
 * Keeps a delivery from being sent again while an attempt goes on after its job has ended. Should the
 * process die, the sweeper finds the delivery when the lease ends. Returns false when the lease could
 * not be written: the job must then wait for the attempt.
 *
 * @param deadlineMs how long the attempt can take at most
 */
export async function leaseDelivery(
  client: Queryable,
  scope: Scope,
  { deliveryId, delivery }: { readonly deliveryId: string; readonly delivery: DueDelivery },
  deadlineMs: number,
): Promise<boolean> {
  const values = [
    scope.tenantId,
    deliveryId,
    delivery.attempts,
    deadlineMs + leaseGraceMs,
  ] as const;
  try {
    await rows(client, lease, values);
    return true;
  } catch {
    return false;
  }
}

const cancelOrphan: Statement = {
  name: 'cancel_orphan_webhook_delivery',
  text: `
    UPDATE webhook_delivery d SET status = 'canceled', next_attempt_at = NULL, completed_at = now()
    WHERE d.tenant_id = $1 AND d.id = $2 AND d.next_attempt_at IS NOT NULL AND NOT EXISTS (
      SELECT 1 FROM webhook_subscription s WHERE s.tenant_id = $1 AND s.id = d.subscription_id
    )`,
};

/** Cancels a delivery whose subscription is gone: the event was recorded while it was being deleted. */
export async function cancelOrphanDelivery(
  client: Queryable,
  scope: Scope,
  deliveryId: string,
): Promise<void> {
  await rows(client, cancelOrphan, [scope.tenantId, deliveryId]);
}

export interface AttemptMade {
  readonly delivered: boolean;
  /** Milliseconds to wait after the first, second … failure; none after the last. */
  readonly waitsMs: readonly number[];
  readonly startedAt: Date;
  readonly latencyMs: number;
  readonly statusCode: number | null;
  readonly answer: string | null;
  readonly error: string | null;
}

interface AttemptRecorded {
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly replay: boolean;
}

/**
 * Records an attempt with its outcome and, in the same transaction, adds the job of the next one. A
 * 2xx has none, so its record is one statement and no transaction around it, which it shares with others of
 * its tenant.
 */
export async function recordAttemptMade(
  pool: Pool,
  scope: Scope,
  deliveryId: string,
  made: AttemptMade,
): Promise<AttemptRecorded> {
  if (made.delivered) {
    return present(await delivering.do(pool, scope.tenantId, { deliveryId, made }), deliveryId);
  }
  return inTransaction(pool, async (client) => {
    const given = { delivery: deliveryId, ...made };
    const [failed] = await recordFailedWebhookAttempt(client, scope.tenantId, given);
    const recorded = present(failed, deliveryId);
    const { nextAttemptAt: runAt, replay } = recorded;
    if (runAt !== null) {
      await enqueueDelivery(client, scope.tenantId, deliveryId, { runAt, replay });
    }
    return recorded;
  });
}

interface Delivered {
  readonly deliveryId: string;
  readonly made: AttemptMade;
}

/** Records deliveries of one tenant that end at the same time. */
const delivering = createGather<Delivered, WebhookDelivery | null>(async (tenant, all, pool) => {
  const attempts = all.map(({ deliveryId, made }) => ({
    delivery: deliveryId,
    started_at: made.startedAt,
    latency_ms: made.latencyMs,
    status_code: made.statusCode,
    answer: made.answer,
  }));
  const found = await recordWebhookAttempts(pool, tenant, { attempts });
  const byId = new Map(found.map((row) => [row.id, row]));
  return all.map(({ deliveryId }) => byId.get(deliveryId) ?? null);
});

function present(
  recorded: WebhookDelivery | null | undefined,
  deliveryId: string,
): AttemptRecorded {
  if (!recorded) throw new Error(`no delivery ${deliveryId}`);
  const { status, attempts, nextAttemptAt, replayAt } = recorded;
  return { status: status as DeliveryStatus, attempts, nextAttemptAt, replay: replayAt !== null };
}
