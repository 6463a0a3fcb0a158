import { platformStatement, rows, type Queryable } from '../../db/pool.ts';
import { jobKeyOf } from '../../queue/tasks.ts';

/** An event whose job has used up its attempts. */
export interface GivenUpEvent {
  readonly eventId: string;
  /** What it says, and whose payment it names, as it is stored: it may be what cannot be read. */
  readonly type: string | null;
  readonly reference: string | null;
}

interface WaitingEvent extends GivenUpEvent {
  /** The event that names the job. */
  readonly head: string;
}

/** With more than these, one of them surely goes on. */
const mostGivenUp = 1_000;

const waitingEvents = platformStatement({
  name: 'waiting_provider_events',
  text: `
    SELECT event_id AS "eventId", coalesce(applied_with, event_id) AS head, event ->> 'type' AS type,
      event ->> 'reference' AS reference
    FROM provider_event WHERE provider = $1 AND status = 'received' LIMIT ${mostGivenUp + 1}`,
});

/** Whoever gives such a job further attempts makes its events wait again. */
const deadJobs = platformStatement({
  name: 'dead_jobs_of_keys',
  text: `
    SELECT j.key FROM graphile_worker.jobs j
    WHERE j.key = ANY ($1::text[]) AND j.attempts >= j.max_attempts AND j.locked_at IS NULL`,
});

/**
 * The events of a provider that are stored, not applied, and that nothing will apply; null while others are not
 * applied yet. An event without a job gets one (`resumeOpenEvents`), so it goes on.
 */
export async function findGivenUp(
  client: Queryable,
  provider: string,
): Promise<readonly GivenUpEvent[] | null> {
  const waiting = await rows<WaitingEvent & Record<string, unknown>>(client, waitingEvents, [
    provider,
  ]);
  if (waiting.length === 0) return [];
  if (waiting.length > mostGivenUp) return null;
  const keyOf = ({ head: eventId }: WaitingEvent): string =>
    jobKeyOf('apply_provider_event', { provider, eventId });
  const keys = [...new Set(waiting.map(keyOf))];
  const dead = new Set(
    (await rows<{ key: string }>(client, deadJobs, [keys])).map(({ key }) => key),
  );
  return waiting.every((event) => dead.has(keyOf(event))) ? waiting : null;
}
