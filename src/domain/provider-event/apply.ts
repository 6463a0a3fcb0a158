import { AsyncLocalStorage } from 'node:async_hooks';
import type { PoolClient } from 'pg';
import { providerOf, type Scope } from '../../access/scope.ts';
import { findJobScope } from '../../access/system.ts';
import { createGather, waitBriefly } from '../../db/gather.ts';
import { crashPoint } from '../../process/crash-point.ts';
import { inTransaction } from '../../db/pool.ts';
import { isId } from '../../values/ids.ts';
import type { ProviderEvent, ProviderRecipientEvent } from '../../providers/port.ts';
import type { Services } from '../../process/services.ts';
import { recordContradictions } from '../contradiction/contradiction-store.ts';
import { contradictionOfRecipient } from '../contradiction/contradiction.ts';
import { parseReference } from '../../providers/reference.ts';
import { applyRecipientEvent } from '../enrollment/recipient-event.ts';
import { findEnrollment } from '../enrollment/store.ts';
import { applyPayoutEvents, type EventOutcome, type ToldEvent } from './apply-payout-event.ts';
import {
  enqueueApply,
  findOpenEvents,
  forgetWords,
  markEvents,
  partEvents,
  readStored,
  type EventMark,
  type OpenEvent,
} from './inbox.ts';

/**
 * An event that is `absent` or `early` is tried again for about an hour. Attempts and enrollments are
 * committed before the provider hears of them, so an absent one belongs to another installation or was
 * lost with a restored database. An early one is a release that overtakes its hold.
 */
const maxTries = 20;

interface Subject {
  readonly tenantId: string;
  /** The attempt's or the enrollment's id. */
  readonly subjectId: string;
}

/** Reads what jobs are to apply; the groups are the providers. */
const reading = createGather<string, readonly OpenEvent[]>(async (provider, ids, pool) => {
  const open = await findOpenEvents(pool, provider, ids);
  return ids.map((id) => open.get(id) ?? []);
});

/** Where events are applied: in a tenant, for a provider. */
interface EventLocation {
  readonly services: Services;
  readonly scope: Scope;
  readonly provider: string;
}

interface Placed extends ToldEvent {
  readonly place: EventLocation;
}

/**
 * Applies events of payouts; the groups are a provider and a tenant. Of one attempt a call has one event: the next one is
 * judged by what that one has changed. And PostgreSQL checks the foreign keys of a payout again each time that one
 * transaction changes it once more.
 */
const applying = createGather<Placed, EventOutcome>(
  async (_group, told) => {
    const [{ place }] = told;
    const subjects = told.map(({ attemptId }) => attemptId);
    const events = told.map(({ event }) => event);
    return commitMarked(place, events, subjects, (client) =>
      applyPayoutEvents(client, place.scope, told),
    );
  },
  { apart: ({ attemptId }) => [attemptId] },
);

/**
 * Applies a stored provider event and those that are applied with it, as a job. Everything that an event changes is
 * one transaction with the mark that it is applied, and each change is guarded. So the same events end in the same
 * state, in any order and with any repetition. Events of one tenant that are applied at the same time share the
 * transaction. An event that cannot be applied keeps no other from it: it gets a job of its own, and the event that
 * the job names makes the job fail, so that who reads of a failure reads the event that has it.
 */
export async function applyProviderEvent(
  services: Services,
  provider: string,
  eventId: string,
): Promise<void> {
  const open = await reading.do(services.pool, provider, eventId);
  const results = await Promise.allSettled(open.map((one) => applyOne(services, provider, one)));
  const failed = open.flatMap((one, index) => {
    const result = results[index];
    return result?.status === 'rejected' ? [{ one, reason: result.reason as unknown }] : [];
  });
  const others = failed.flatMap(({ one }) => (one.eventId === eventId ? [] : [one]));
  if (others.length > 0) await part(services, provider, others);
  const own = failed.find(({ one }) => one.eventId === eventId);
  if (own !== undefined) throw own.reason;
}

/** Gives jobs of their own, which tell why they fail, to events that could not be applied with the others. */
async function part(
  { pool, log }: Services,
  provider: string,
  open: readonly OpenEvent[],
): Promise<void> {
  const events = open.map(({ eventId, stored: { reference } }) => ({ eventId, reference }));
  await inTransaction(pool, (client) => partEvents(client, provider, events));
  for (const { eventId } of events) {
    log.warn(
      { provider, event_id: eventId },
      'a provider event failed and is tried again by itself',
    );
  }
}

async function applyOne(
  services: Services,
  provider: string,
  { stored, tries }: OpenEvent,
): Promise<void> {
  const event = readStored(stored);
  const subject = subjectOf(event);
  const outcome = subject === null ? 'absent' : await applyTo(services, provider, event, subject);
  if (outcome === 'absent' || outcome === 'early') {
    await postpone(services, { provider, event, tries, isAbsent: outcome === 'absent' });
  }
  if (outcome === 'contradicts') {
    services.log.error(
      { provider, event_id: event.eventId, subject_id: subject?.subjectId },
      'a provider event contradicts an attempt or an enrollment',
    );
  }
}

/** What the event's reference names; null when it is not one of ours. */
function subjectOf(event: ProviderEvent): Subject | null {
  const subject = parseReference(event.reference);
  if (subject === null || !isId('tenant', subject.tenantId)) return null;
  const resource = event.kind === 'payout' ? 'disbursementAttempt' : 'enrollment';
  return isId(resource, subject.subjectId) ? subject : null;
}

async function applyTo(
  services: Services,
  provider: string,
  event: ProviderEvent,
  { tenantId, subjectId }: Subject,
): Promise<EventOutcome> {
  const actor = { type: 'provider', name: provider } as const;
  const scope = await findJobScope(services.pool, tenantId, actor);
  if (scope === null) return 'absent';
  const place = { services, scope, provider };
  if (event.kind === 'payout') {
    const within = AsyncLocalStorage.snapshot();
    const told = { place, attemptId: subjectId, event, within };
    return applying.do(services.pool, `${provider} ${tenantId}`, told);
  }
  const [outcome = 'absent'] = await commitMarked(place, [event], [subjectId], async (client) => [
    await applyToRecipient(client, scope, subjectId, event),
  ]);
  return outcome;
}

/** Commits what `work` does with some events together with their marks; it resolves with their outcomes. */
async function commitMarked(
  { services, scope: { tenantId }, provider }: EventLocation,
  events: readonly ProviderEvent[],
  subjectIds: readonly string[],
  work: (client: PoolClient) => Promise<EventOutcome[]>,
): Promise<EventOutcome[]> {
  const outcomes = await inTransaction(services.pool, async (client) => {
    await waitBriefly(client, events);
    const results = await work(client);
    const marks = results.flatMap((result, index): EventMark[] => {
      const { eventId = '' } = events[index] ?? {};
      if (result === 'absent' || result === 'early') return [];
      const status = result === 'ignored' ? result : 'applied';
      return [{ eventId, status, tenantId, subjectId: subjectIds[index] ?? null }];
    });
    if (marks.length > 0) await markEvents(client, provider, marks);
    for (const _mark of marks) crashPoint('apply_before_commit');
    return results;
  });
  for (const _outcome of outcomes) crashPoint('apply_after_commit');
  return outcomes;
}

async function applyToRecipient(
  client: PoolClient,
  scope: Scope,
  subjectId: string,
  event: ProviderRecipientEvent,
): Promise<EventOutcome> {
  const { type, reason, occurredAt, recipientId } = event;
  const told = { enrollmentId: subjectId, type, reason, occurredAt, recipientId };
  if (await applyRecipientEvent(client, scope, told)) return 'applied';
  const enrollment = await findEnrollment(client, scope, subjectId);
  if (enrollment === null) return 'absent';
  const wrong = contradictionOfRecipient(recipientId, enrollment.recipientId);
  if (wrong.length === 0 || enrollment.provider !== providerOf(scope)) return 'ignored';
  const about = { id: enrollment.id, payoutId: null, provider: enrollment.provider };
  const source = { source: 'event', eventId: event.eventId } as const;
  const { open } = await recordContradictions(client, scope, about, wrong, source);
  return open ? 'contradicts' : 'ignored';
}

interface Postponed {
  readonly provider: string;
  readonly event: ProviderEvent;
  readonly tries: number;
  /** Whether what it names is not there. */
  readonly isAbsent: boolean;
}

async function postpone(
  services: Services,
  { provider, event, tries, isAbsent }: Postponed,
): Promise<void> {
  const { eventId } = event;
  const givenUp = tries + 1 >= maxTries;
  await inTransaction(services.pool, async (client) => {
    const status = givenUp ? 'unmatched' : 'received';
    await markEvents(client, provider, [{ eventId, status, tenantId: null, subjectId: null }]);
    if (givenUp && isAbsent) await forgetWords(client, provider, eventId);
    if (givenUp) return;
    const seconds = Math.min(2 ** tries, 300);
    await enqueueApply(client, provider, event, seconds * 1_000);
  });
  if (givenUp)
    services.log.error(
      { provider, event_id: eventId },
      'gave up a provider event whose attempt or enrollment was not found',
    );
}
