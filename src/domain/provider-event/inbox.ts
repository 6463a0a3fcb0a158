import type { PoolClient } from 'pg';
import { crashPoint } from '../../process/crash-point.ts';
import { inTransaction, firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import type { ProviderEvent } from '../../providers/port.ts';
import { parseReference } from '../../providers/reference.ts';
import { enqueue, enqueueMissing } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import type { Services } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';

/**
 * The inbox of provider events. An event is stored under the provider's own id before its tenant is
 * known, so the table belongs to no tenant. The provider gets 200 only after this commit.
 */
const keepEvent: Statement = {
  name: 'keep_provider_event',
  text: `
    INSERT INTO provider_event (provider, event_id, event) VALUES ($1, $2, $3::jsonb)
    ON CONFLICT (provider, event_id) DO NOTHING
    RETURNING event_id`,
};

/** An amount is kept as its digits, since JSON has no large integers. */
function storedEvent(event: ProviderEvent): string {
  return JSON.stringify(event, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/**
 * A stored event. One without an amount is read with an amount that no payment has: it contradicts its
 * attempt, and a person looks at it.
 */
function readStored(stored: ProviderEvent): ProviderEvent {
  if (stored.kind !== 'payout') return stored;
  const { amountMinor = '0', currency = 'XXX' } = stored as {
    readonly amountMinor?: unknown;
    readonly currency?: string;
  };
  return { ...stored, amountMinor: BigInt(String(amountMinor)), currency };
}

/** Stores an event once and adds the job that applies it. A repetition does nothing. */
export async function keepProviderEvent(
  services: Services,
  provider: string,
  event: ProviderEvent,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    const kept = await firstRow(client, keepEvent, [provider, event.eventId, storedEvent(event)]);
    if (kept !== null) await enqueueApply(client, provider, event);
    crashPoint('receive_before_commit');
  });
  crashPoint('receive_after_commit');
}

/**
 * Adds the job that applies a stored event, at once or at `runAt`. It waits in the outbox of the tenant that the
 * event names, whether or not there is such a tenant.
 */
export function enqueueApply(
  client: PoolClient,
  provider: string,
  { eventId, reference }: Pick<ProviderEvent, 'eventId' | 'reference'>,
  runAt?: Date,
): Promise<void> {
  const payload = { provider, eventId };
  const tenantId = parseReference(reference)?.tenantId ?? '';
  return enqueue(client, 'apply_provider_event', payload, {
    jobKey: jobKeyOf('apply_provider_event', payload),
    ...(isId('tenant', tenantId) ? { tenantId } : {}),
    ...(runAt === undefined ? {} : { runAt }),
  });
}

const openEvent: Statement = {
  name: 'open_provider_event',
  text: `
    SELECT event, tries FROM provider_event
    WHERE provider = $1 AND event_id = $2 AND status IN ('received', 'unmatched')`,
};

/** A stored event that is still to be applied, or null. */
export async function findOpenEvent(
  client: Queryable,
  provider: string,
  eventId: string,
): Promise<{ event: ProviderEvent; tries: number } | null> {
  const open = await firstRow<{ event: ProviderEvent; tries: number }>(client, openEvent, [
    provider,
    eventId,
  ]);
  return open && { ...open, event: readStored(open.event) };
}

const closeEvent: Statement = {
  name: 'close_provider_event',
  text: `
    UPDATE provider_event
    SET status = $3, tenant_id = $4, subject_id = $5, tries = tries + 1,
      applied_at = CASE WHEN $3 IN ('applied', 'ignored') THEN clock.at END
    FROM (SELECT now() AS at) AS clock
    WHERE provider = $1 AND event_id = $2 AND status IN ('received', 'unmatched')`,
};

/**
 * Records the result for an event: `applied`; `ignored`, since it says nothing new; `received`, since its
 * tenant is still unknown and it is tried again; or `unmatched`, given up and kept for operators. Of two
 * runs at once, the second changes nothing.
 */
export async function markEvent(
  client: Queryable,
  provider: string,
  eventId: string,
  outcome: {
    readonly status: 'applied' | 'ignored' | 'received' | 'unmatched';
    readonly tenantId: string | null;
    readonly subjectId: string | null;
  },
): Promise<void> {
  await rows(client, closeEvent, [
    provider,
    eventId,
    outcome.status,
    outcome.tenantId,
    outcome.subjectId,
  ]);
}

const stalledEvents: Statement = {
  name: 'stalled_provider_events',
  text: `
    SELECT provider, event_id AS "eventId" FROM provider_event
    WHERE status = 'received' AND received_at <= now() - make_interval(secs => $1::double precision)
    ORDER BY received_at, provider, event_id LIMIT $2`,
};

/**
 * Adds a job for stored events that came at least `seconds` ago and have none: at most `take`, oldest
 * first. An event that is tried again ends as `unmatched` after an hour, so it does not delay the others
 * for longer. Returns the number of jobs.
 */
export async function resumeOpenEvents(
  services: Services,
  seconds: number,
  take: number,
): Promise<number> {
  const { pool } = services;
  const open = await rows<{ provider: string; eventId: string }>(pool, stalledEvents, [
    seconds,
    take,
  ]);
  return enqueueMissing(
    pool,
    'apply_provider_event',
    open.map((payload) => ({ payload })),
  );
}
