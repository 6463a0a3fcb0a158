import type { Pool } from 'pg';
import type { Scope } from '../../../access/scope.ts';
import { createGather, waitingBriefly } from '../../../db/gather.ts';
import { command } from '../../../db/command.ts';
import { lazily } from '../../../db/lazily.ts';
import { firstRow, inTransaction, rows, type Queryable, type Statement } from '../../../db/pool.ts';
import { enqueueDelivery } from '../../event/record.ts';
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

/**
 * A command only for its plan, which PostgreSQL would make anew for each list of ids and which costs four times
 * what it finds. The column rounds to milliseconds, perhaps up; the second of grace makes up for that.
 */
export const dueDeliveries = command({
  name: 'wanted_webhook_deliveries',
  comment:
    'Reads what is needed to send deliveries that are due (src/domain/webhook/delivery/delivery-store.ts).',
  parameters: { tenant: 'text', deliveries: 'text[]' },
  returns: `TABLE (
  id text, attempts integer, event_id text, type text, sequence bigint, occurred_at timestamptz, data jsonb,
  subscription_id text, url text, enabled boolean, api_version text, secret_ciphertext bytea
)`,
  select: `r.id, r.attempts, r.event_id AS "eventId", r.type, r.sequence, r.occurred_at AS "occurredAt", r.data,
    r.subscription_id AS "subscriptionId", r.url, r.enabled, r.api_version AS "apiVersion",
    r.secret_ciphertext AS "secretCiphertext"`,
  body: `
  RETURN QUERY
    SELECT d.id, d.attempts, e.id, e.type, e.sequence, e.occurred_at, e.data, s.id, s.url, s.enabled, s.api_version,
      s.secret_ciphertext
    FROM public.webhook_delivery d
    JOIN public.event e ON e.tenant_id = d.tenant_id AND e.id = d.event_id
    LEFT JOIN public.webhook_subscription s ON s.tenant_id = d.tenant_id AND s.id = d.subscription_id
    WHERE d.tenant_id = _tenant AND d.id = ANY (_deliveries)
      AND d.next_attempt_at <= now() + interval '1 second';`,
});

type DueRow = Omit<DueDelivery, 'subscription'> &
  Omit<DueSubscription, 'id'> & { readonly id: string; readonly subscriptionId: string | null };

/** Reads the deliveries of one tenant that are wanted at the same time. */
const finding = createGather<string, DueDelivery | null>(async (tenant, ids, pool) => {
  const values = dueDeliveries.of({ tenant, deliveries: ids });
  const found = await rows<DueRow>(pool, dueDeliveries, values);
  const due = new Map(found.map((row) => [row.id, dueOf(row)]));
  return ids.map((id) => due.get(id) ?? null);
});

function dueOf(row: DueRow): DueDelivery {
  const {
    id: _id,
    subscriptionId: id,
    url,
    enabled,
    apiVersion,
    secretCiphertext,
    ...delivery
  } = row;
  return {
    ...delivery,
    subscription: id === null ? null : { id, url, enabled, apiVersion, secretCiphertext },
  };
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

const recorded = `r.status, r.attempts, r.next_attempt_at AS "nextAttemptAt", r.replay_at IS NOT NULL AS replay`;

/**
 * One attempt and what follows from it. The number comes from the row, and the wait from the attempts
 * made since the latest redelivery, so concurrent runs and a redelivery in between leave a history
 * without gaps. A 2xx ends the attempts, whatever happened to the delivery in the meantime. The endpoint
 * counts as failing from a failed attempt until a delivered one. Its row is locked last, so no two attempts
 * wait for each other.
 */
export const recordAttempt = command({
  name: 'record_webhook_attempt',
  comment:
    'Records an attempt to deliver an event, and what follows from it (src/domain/webhook/delivery/delivery-store.ts).',
  parameters: {
    tenant: 'text',
    delivery: 'text',
    delivered: 'boolean',
    waitsMs: 'double precision[]',
    startedAt: 'timestamptz',
    latencyMs: 'integer',
    statusCode: 'integer',
    answer: 'text',
    error: 'text',
  },
  returns: 'SETOF public.webhook_delivery',
  select: recorded,
  declare: `made public.webhook_delivery;
  wait_ms double precision;`,
  body: `
  SELECT d.* INTO made FROM public.webhook_delivery d
  WHERE d.tenant_id = _tenant AND d.id = _delivery FOR UPDATE;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  wait_ms := _waits_ms[made.attempts - made.round_start + 1];
  made.attempts := made.attempts + 1;
  IF _delivered OR (made.status = 'pending' AND wait_ms IS NULL) THEN
    made.completed_at := CASE WHEN made.status = 'delivered' THEN made.completed_at ELSE now() END;
    made.status := CASE WHEN _delivered THEN 'delivered' ELSE 'dead' END;
    made.next_attempt_at := NULL;
  ELSIF made.status = 'pending' THEN
    made.next_attempt_at := now() + wait_ms * interval '1 millisecond';
  END IF;
  UPDATE public.webhook_delivery AS d SET
    attempts = made.attempts, status = made.status, next_attempt_at = made.next_attempt_at,
    completed_at = made.completed_at
  WHERE d.tenant_id = _tenant AND d.id = _delivery;
  INSERT INTO public.webhook_delivery_attempt (
    tenant_id, delivery_id, number, started_at, latency_ms, status_code, answer, error
  )
  VALUES (
    _tenant, _delivery, made.attempts, _started_at, _latency_ms, _status_code, _answer, _error
  );
  IF _delivered THEN
    DELETE FROM public.webhook_endpoint_failure AS f
    WHERE f.tenant_id = _tenant AND f.subscription_id = made.subscription_id;
  ELSE
    INSERT INTO public.webhook_endpoint_failure AS f
      (tenant_id, subscription_id, failing_since, last_failed_at, last_status_code, last_error)
    VALUES (_tenant, made.subscription_id, _started_at, _started_at, _status_code, _error)
    ON CONFLICT (tenant_id, subscription_id) DO UPDATE SET
      failures = f.failures + 1, last_failed_at = excluded.last_failed_at,
      last_status_code = excluded.last_status_code, last_error = excluded.last_error;
  END IF;
  RETURN NEXT made;`,
});

/**
 * What `recordAttempt` does with attempts that delivered, by one statement each for all of them. The deliveries
 * are locked in the order of their ids, so that no two commands wait for each other. If a crash undoes it, the events
 * are sent again under the same ids.
 */
export const recordAttempts = command({
  name: 'record_webhook_attempts',
  comment:
    'Records attempts that delivered events (src/domain/webhook/delivery/delivery-store.ts).',
  parameters: { tenant: 'text', attempts: 'jsonb' },
  returns: 'SETOF public.webhook_delivery',
  select: `r.id, ${recorded}`,
  declare: `
  ended timestamptz(3) := now();
  made public.webhook_delivery;
  deliveries text[] := '{}';
  counts integer[] := '{}';
  subscriptions text[] := '{}';`,
  body: `
  ${waitingBriefly('_attempts')}
  PERFORM ${lazily};
  FOR made IN
    UPDATE public.webhook_delivery AS d SET
      attempts = d.attempts + t.more, status = 'delivered', next_attempt_at = NULL,
      completed_at = CASE WHEN d.status = 'delivered' THEN d.completed_at ELSE ended END
    FROM (
      SELECT _tenant AS tenant, g.delivery, count(*)::integer AS more
      FROM jsonb_to_recordset(_attempts) AS g (delivery text) GROUP BY g.delivery ORDER BY g.delivery OFFSET 0
    ) AS t
    WHERE d.tenant_id = _tenant AND t.tenant = _tenant AND d.id = t.delivery
    RETURNING d.*
  LOOP
    deliveries := deliveries || made.id;
    counts := counts || made.attempts;
    subscriptions := subscriptions || made.subscription_id;
    RETURN NEXT made;
  END LOOP;
  INSERT INTO public.webhook_delivery_attempt (
    tenant_id, delivery_id, number, started_at, latency_ms, status_code, answer
  )
  SELECT _tenant, m.delivery, d.attempts + 1 - row_number() OVER (PARTITION BY m.delivery ORDER BY m.started_at DESC),
    m.started_at, m.latency_ms, m.status_code, m.answer
  FROM jsonb_to_recordset(_attempts) AS m (
    delivery text, started_at timestamptz, latency_ms integer, status_code integer, answer text
  )
  JOIN unnest(deliveries, counts) AS d (id, attempts) ON d.id = m.delivery;
  DELETE FROM public.webhook_endpoint_failure AS f
  WHERE f.tenant_id = _tenant AND f.subscription_id = ANY (subscriptions);`,
});

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
    const recorded = await record(client, scope, deliveryId, made);
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
const delivering = createGather<Delivered, AttemptRecorded | null>(async (tenant, all, pool) => {
  const attempts = all.map(({ deliveryId, made }) => ({
    delivery: deliveryId,
    started_at: made.startedAt,
    latency_ms: made.latencyMs,
    status_code: made.statusCode,
    answer: made.answer,
  }));
  const values = recordAttempts.of({ tenant, attempts: JSON.stringify(attempts) });
  const found = await rows<AttemptRecorded & { id: string }>(pool, recordAttempts, values);
  const byId = new Map(found.map((row) => [row.id, row]));
  return all.map(({ deliveryId }) => byId.get(deliveryId) ?? null);
});

function present(recorded: AttemptRecorded | null, deliveryId: string): AttemptRecorded {
  if (recorded === null) throw new Error(`no delivery ${deliveryId}`);
  return recorded;
}

async function record(
  client: Queryable,
  scope: Scope,
  deliveryId: string,
  made: AttemptMade,
): Promise<AttemptRecorded> {
  const values = recordAttempt.of({
    tenant: scope.tenantId,
    delivery: deliveryId,
    delivered: made.delivered,
    waitsMs: made.waitsMs,
    startedAt: made.startedAt,
    latencyMs: made.latencyMs,
    statusCode: made.statusCode,
    answer: made.answer,
    error: made.error,
  });
  return present(await firstRow<AttemptRecorded>(client, recordAttempt, values), deliveryId);
}
