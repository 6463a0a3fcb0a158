import type { PoolClient } from 'pg';
import { crashPoint } from '../../process/crash-point.ts';
import { createGather, waitBriefly } from '../../db/gather.ts';
import { inTransaction, platformStatement, rows, type Queryable } from '../../db/pool.ts';
import type { ProviderEvent } from '../../providers/port.ts';
import { parseReference } from '../../providers/reference.ts';
import { enqueue, enqueueMany, enqueueMissing, type JobOptions } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { withTrace } from '../../process/tracing.ts';
import type { Services } from '../../process/services.ts';
import { isId } from '../../values/ids.ts';
import { wordless } from './words.ts';

/**
 * The inbox of provider events. An event is stored under the provider's own id before its tenant is
 * known, so the table belongs to no tenant. The provider gets 200 only after this commit. In the order of
 * the ids, so that two processes to which a provider repeats the same events do not wait for each other.
 */
const keepEvents = platformStatement({
  name: 'keep_provider_events',
  text: `
    INSERT INTO provider_event (provider, event_id, event, applied_with)
    SELECT $1, t.event_id, t.event::jsonb, t.applied_with
    FROM unnest($2::text[], $3::text[], $4::text[]) AS t (event_id, event, applied_with)
    ORDER BY t.event_id
    ON CONFLICT (provider, event_id) DO NOTHING
    RETURNING event_id AS "eventId"`,
});

/** Names the job of events; null for that of their own. */
const joinEvents = platformStatement({
  name: 'join_provider_events',
  text: `
    UPDATE provider_event e SET applied_with = t.applied_with
    FROM unnest($2::text[], $3::text[]) AS t (event_id, applied_with)
    WHERE e.provider = $1 AND e.event_id = t.event_id`,
});

/** An amount is kept as its digits, since JSON has no large integers. */
function storedEvent(event: ProviderEvent): string {
  return JSON.stringify(event, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}

/** An event as its JSON is in the inbox; `readStored` makes of it what it was. */
type StoredEvent = ProviderEvent;

/**
 * A stored event. One without an amount is read with an amount that no payment has: it contradicts its
 * attempt, and a person looks at it.
 */
export function readStored(stored: StoredEvent): ProviderEvent {
  if (stored.kind !== 'payout') return stored;
  const { amountMinor = '0', currency = 'XXX' } = stored as {
    readonly amountMinor?: unknown;
    readonly currency?: string;
  };
  return { ...stored, amountMinor: BigInt(String(amountMinor)), currency };
}

interface Arrived {
  readonly event: ProviderEvent;
  /** The trace that brought it, as a payload has it; empty without one. */
  readonly cause: object;
}

/** The most events that one job applies. */
const mostTogether = 50;

/** Events that one job applies. */
interface Together {
  readonly events: readonly ProviderEvent[];
  readonly cause: object;
  /** The event that names the job: the first of `events`. */
  readonly head: ProviderEvent;
}

/**
 * Events of payouts of one tenant travel together; with traces on, those of one trace, which their job continues.
 * An event of a recipient is applied by a transaction of its own, so it has its own job.
 */
function togetherOf(arrived: readonly Arrived[]): Together[] {
  const each = new Map(arrived.map((one) => [one.event.eventId, one]));
  const groups = Map.groupBy(each.values(), ({ event, cause }) => {
    const single = event.kind === 'recipient' ? event.eventId : null;
    return JSON.stringify([parseReference(event.reference)?.tenantId, cause, single]);
  });
  return [...groups.values()].flatMap((group) => {
    const sorted = group.toSorted((a, b) => (a.event.eventId < b.event.eventId ? -1 : 1));
    const parts = Array.from({ length: Math.ceil(sorted.length / mostTogether) }, (_, part) =>
      sorted.slice(part * mostTogether, (part + 1) * mostTogether),
    );
    return parts.flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : [{ ...first, head: first.event, events: [first, ...others].map(({ event }) => event) }],
    );
  });
}

/** Stores events, each once, with the jobs that apply the new ones. */
async function keepAll(
  client: PoolClient,
  provider: string,
  arrived: readonly Arrived[],
): Promise<void> {
  const all = togetherOf(arrived);
  const given = all.flatMap(({ events, head }) =>
    events.map((event) => ({ event, appliedWith: events.length > 1 ? head.eventId : null })),
  );
  const kept = await rows<{ eventId: string }>(client, keepEvents, [
    provider,
    given.map(({ event }) => event.eventId),
    given.map(({ event }) => storedEvent(event)),
    given.map(({ appliedWith }) => appliedWith),
  ]);
  const news = new Set(kept.map(({ eventId }) => eventId));
  const wanted = all.flatMap((one) => newOf(one, news));
  await joinUnderNewHeads(client, provider, wanted);
  await enqueueMany(
    client,
    'apply_provider_event',
    wanted.map(({ cause, head }) => ({ ...cause, provider, eventId: head.eventId })),
    wanted.map(({ head }) => jobOptions(provider, head)),
  );
}

interface Renamed extends Together {
  /** Whether the events were stored under the name of another one. */
  readonly isRenamed: boolean;
}

/** What remains of a group without the events that were stored before. */
function newOf({ events, cause, head: given }: Together, news: ReadonlySet<string>): Renamed[] {
  const fresh = events.filter(({ eventId }) => news.has(eventId));
  const [head] = fresh;
  return head === undefined ? [] : [{ events: fresh, cause, head, isRenamed: head !== given }];
}

/**
 * A known event names no job of new ones: its own job may be put off for minutes while they are stored, and would
 * take theirs with it, since both have the same key.
 */
async function joinUnderNewHeads(
  client: PoolClient,
  provider: string,
  wanted: readonly Renamed[],
): Promise<void> {
  const joined = wanted.flatMap(({ events, head, isRenamed }) =>
    isRenamed ? events.map(({ eventId }) => ({ eventId, head: head.eventId })) : [],
  );
  if (joined.length === 0) return;
  await rows(client, joinEvents, [
    provider,
    joined.map(({ eventId }) => eventId),
    joined.map(({ head }) => head),
  ]);
}

/** Stores events that arrive at the same time, each once, with their jobs; the groups are the providers. */
const keeping = createGather<Arrived, null>(async (provider, arrived, pool) => {
  await inTransaction(pool, async (client) => {
    await waitBriefly(client, arrived);
    await keepAll(client, provider, arrived);
    for (const _one of arrived) crashPoint('receive_before_commit');
  });
  for (const _one of arrived) crashPoint('receive_after_commit');
  return arrived.map(() => null);
});

/** Stores each event once and adds the jobs that apply them. A repetition does nothing. */
export async function keepProviderEvents(
  services: Services,
  provider: string,
  events: readonly ProviderEvent[],
): Promise<void> {
  const cause = withTrace({});
  await Promise.all(events.map((event) => keeping.do(services.pool, provider, { event, cause })));
}

/**
 * As `keepProviderEvents`, for events that a file told of: in the transaction of `client`, so that they are kept
 * with what is noted of the file, or not at all.
 */
export async function keepToldEvents(
  client: PoolClient,
  provider: string,
  events: readonly ProviderEvent[],
): Promise<void> {
  if (events.length === 0) return;
  await keepAll(
    client,
    provider,
    events.map((event) => ({ event, cause: {} })),
  );
}

/** The outbox of the tenant that the event names, whether or not there is such a tenant. */
function jobOptions(provider: string, { eventId, reference }: NamedEvent): JobOptions {
  const tenantId = parseReference(reference)?.tenantId ?? '';
  const jobKey = jobKeyOf('apply_provider_event', { provider, eventId });
  return isId('tenant', tenantId) ? { jobKey, tenantId } : { jobKey };
}

type NamedEvent = Pick<ProviderEvent, 'eventId' | 'reference'>;

/** Adds the job that applies a stored event, at once or after `waitMs`. */
export function enqueueApply(
  client: PoolClient,
  provider: string,
  event: NamedEvent,
  waitMs?: number,
): Promise<void> {
  const payload = { provider, eventId: event.eventId };
  const options = jobOptions(provider, event);
  const all = waitMs === undefined ? options : { ...options, waitMs };
  return enqueue(client, 'apply_provider_event', payload, all);
}

/** Adds the jobs by which events are applied that were stored with others, each by itself. */
export async function partEvents(
  client: PoolClient,
  provider: string,
  events: readonly NamedEvent[],
): Promise<void> {
  await rows(client, joinEvents, [
    provider,
    events.map(({ eventId }) => eventId),
    events.map(() => null),
  ]);
  await enqueueMany(
    client,
    'apply_provider_event',
    events.map(({ eventId }) => ({ provider, eventId })),
    events.map((event) => jobOptions(provider, event)),
  );
}

/**
 * An event that an operator gives a job again may have been given up. The same condition stands with the events that
 * are applied with it, which are never given up: with their own state alone PostgreSQL could read all events that
 * wait, by the index of those.
 */
const openEvents = platformStatement({
  name: 'open_provider_events',
  text: `
    SELECT e.event_id AS head, e.event_id AS "eventId", e.event AS stored, e.tries FROM provider_event e
    WHERE e.provider = $1 AND e.event_id = ANY ($2::text[]) AND e.status IN ('received', 'unmatched')
    UNION ALL
    SELECT w.applied_with, w.event_id, w.event, w.tries FROM provider_event w
    WHERE w.provider = $1 AND w.applied_with = ANY ($2::text[]) AND w.applied_with <> w.event_id
      AND w.status IN ('received', 'unmatched')`,
});

/** A stored event that is still to be applied. */
export interface OpenEvent {
  readonly eventId: string;
  /** As it is stored: each is read by itself, so that one that cannot be read harms no other. */
  readonly stored: StoredEvent;
  /** How often it was tried before. */
  readonly tries: number;
}

/** What the jobs of a provider's events are to apply, by those events: they, and what was stored with them. */
export async function findOpenEvents(
  client: Queryable,
  provider: string,
  heads: readonly string[],
): Promise<ReadonlyMap<string, readonly OpenEvent[]>> {
  const open = await rows<OpenEvent & { head: string }>(client, openEvents, [provider, heads]);
  return Map.groupBy(open, ({ head }) => head);
}

/**
 * The results are looked up by the id of each event: a join with them could be a loop through all events that wait.
 * For the same reason the status is that of an event that is not closed, and not of one that waits.
 */
const closeEvents = platformStatement({
  name: 'close_provider_events',
  text: `
    UPDATE provider_event e
    SET status = $3::jsonb -> e.event_id ->> 'status', tenant_id = $3::jsonb -> e.event_id ->> 'tenantId',
      subject_id = $3::jsonb -> e.event_id ->> 'subjectId', tries = e.tries + 1, applied_with = NULL,
      applied_at = CASE WHEN $3::jsonb -> e.event_id ->> 'status' IN ('applied', 'ignored') THEN clock.at END
    FROM (SELECT now() AS at) AS clock
    WHERE e.provider = $1 AND e.event_id = ANY ($2::text[]) AND e.status NOT IN ('applied', 'ignored')`,
});

/** The result for an event. */
export interface EventMark {
  readonly eventId: string;
  readonly status: 'applied' | 'ignored' | 'received' | 'unmatched';
  readonly tenantId: string | null;
  readonly subjectId: string | null;
}

/**
 * Records the results for events: `applied`; `ignored`, since it says nothing new; `received`, since its
 * tenant is still unknown and it is tried again, by a job of its own; or `unmatched`, given up and kept for
 * operators. Of two runs at once, the second changes nothing.
 */
export async function markEvents(
  client: Queryable,
  provider: string,
  marks: readonly EventMark[],
): Promise<void> {
  await rows(client, closeEvents, [
    provider,
    marks.map(({ eventId }) => eventId),
    JSON.stringify(Object.fromEntries(marks.map(({ eventId, ...mark }) => [eventId, mark]))),
  ]);
}

const dropWords = platformStatement({
  name: 'drop_words_of_provider_event',
  text: `UPDATE provider_event e SET event = ${wordless('e.event')} WHERE e.provider = $1 AND e.event_id = $2`,
});

/** Clears a provider's own words in an event that belongs to nobody here: no erasure of a payee would find them. */
export async function forgetWords(
  client: Queryable,
  provider: string,
  eventId: string,
): Promise<void> {
  await rows(client, dropWords, [provider, eventId]);
}

const stalledEvents = platformStatement({
  name: 'stalled_provider_events',
  text: `
    SELECT provider, coalesce(applied_with, event_id) AS "eventId" FROM provider_event
    WHERE status = 'received' AND received_at <= now() - make_interval(secs => $1::double precision)
    ORDER BY received_at, provider, event_id LIMIT $2`,
});

/**
 * Adds the jobs of stored events that came at least `seconds` ago and have none: at most `take` events, oldest
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
  const jobs = new Map(open.map((payload) => [jobKeyOf('apply_provider_event', payload), payload]));
  return enqueueMissing(
    pool,
    'apply_provider_event',
    [...jobs.values()].map((payload) => ({ payload })),
  );
}
