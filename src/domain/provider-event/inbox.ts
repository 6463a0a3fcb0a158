import type { PoolClient } from 'pg';
import { crashPoint } from '../../process/crash-point.ts';
import { inTransaction, firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import type { ProviderEvent } from '../../providers/port.ts';
import { enqueue, enqueueMissing } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import type { Services } from '../../process/services.ts';

/**
 * The inbox of provider events. An event is kept under the provider's own id before it is known
 * whose it is, so the table stands outside the tenants; it is answered 200 only after this commit.
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
 * An event as it was stored. One that was kept before amounts were read says nothing of them: that is an
 * amount which no payment has, so a person will look.
 */
function readStored(stored: ProviderEvent): ProviderEvent {
  if (stored.kind !== 'payout') return stored;
  const { amountMinor = '0', currency = 'XXX' } = stored as {
    readonly amountMinor?: unknown;
    readonly currency?: string;
  };
  return { ...stored, amountMinor: BigInt(String(amountMinor)), currency };
}

/** Stores an event once and adds the job that applies it; a repetition does nothing (decisions 8). */
export async function keepProviderEvent(
  services: Services,
  provider: string,
  event: ProviderEvent,
): Promise<void> {
  await inTransaction(services.pool, async (client) => {
    const kept = await firstRow(client, keepEvent, [provider, event.eventId, storedEvent(event)]);
    if (kept !== null) await enqueueApply(client, provider, event.eventId);
    crashPoint('receive_before_commit');
  });
  crashPoint('receive_after_commit');
}

export function enqueueApply(
  client: PoolClient,
  provider: string,
  eventId: string,
  runAt?: Date,
): Promise<void> {
  const payload = { provider, eventId };
  const jobKey = jobKeyOf('apply_provider_event', payload);
  const options = runAt === undefined ? { jobKey } : { jobKey, runAt };
  return enqueue(client, 'apply_provider_event', payload, options);
}

const openEvent: Statement = {
  name: 'open_provider_event',
  text: `
    SELECT event, tries FROM provider_event
    WHERE provider = $1 AND event_id = $2 AND status IN ('received', 'unmatched')`,
};

/** An event that was not applied yet, or null. */
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
      applied_at = CASE WHEN $3 IN ('applied', 'ignored') THEN now() END
    WHERE provider = $1 AND event_id = $2 AND status IN ('received', 'unmatched')`,
};

/**
 * Notes what became of an event: `applied`, `ignored` (it says nothing new), `received` (whose it is
 * is not known yet; it is tried again) or `unmatched` (given up; kept for operators). Of two runs at
 * once, the second changes nothing.
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

const standingEvents: Statement = {
  name: 'standing_provider_events',
  text: `
    SELECT provider, event_id AS "eventId" FROM provider_event
    WHERE status = 'received' AND received_at <= now() - make_interval(secs => $1::double precision)
    ORDER BY received_at, provider, event_id LIMIT $2`,
};

/**
 * Gives a job to stored events that have none for `seconds`: at most `take`, oldest first. Those that
 * are tried again end as `unmatched`, so they stand in the way of the others for an hour at most.
 * Returns how many jobs it added.
 */
export async function resumeOpenEvents(
  services: Services,
  seconds: number,
  take: number,
): Promise<number> {
  const { pool } = services;
  const open = await rows<{ provider: string; eventId: string }>(pool, standingEvents, [
    seconds,
    take,
  ]);
  return enqueueMissing(
    pool,
    'apply_provider_event',
    open.map((payload) => ({ payload })),
  );
}
