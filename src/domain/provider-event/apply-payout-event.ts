import type { PoolClient } from 'pg';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import { providerOf, type Scope } from '../../access/scope.ts';
import type { PayoutEventType, ProviderPayoutEvent } from '../../providers/port.ts';
import { recordContradictions, timesOf } from '../contradiction/contradiction-store.ts';
import {
  claimOfEvent,
  contradictionsOf,
  paymentOfAnother,
  takenAfterAll,
  type Contradiction,
} from '../contradiction/contradiction.ts';
import {
  doubtFailure,
  movesOf,
  noteUnmoved,
  type Outcome,
  type ProviderStatement,
} from '../disbursement/outcome.ts';
import { hearName } from '../disbursement/named-payment.ts';
import { acceptedEvent } from '../disbursement/accepted-store.ts';
import { lockAttempts } from '../disbursement/store.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { eventFields } from '../event/record.ts';
import { movePayoutTo, wireMove } from '../payout/transition.ts';
import { applyPayoutEvents as applyTogether } from './commands.gen.ts';

/**
 * What an event says of the money. `held` and `released` change nothing after the submission, since the
 * provider has the payment.
 */
const outcomes: Record<PayoutEventType, Outcome | null> = {
  acknowledged: null,
  estimated: null,
  held: null,
  released: null,
  disbursed: 'disbursed',
  settled: 'settled',
  returned: 'returned',
  failed: 'failed',
};

/**
 * - `absent`: its attempt or enrollment does not exist.
 * - `early`: its meaning depends on an answer of the provider that is not recorded yet.
 * - `contradicts`: it disagrees with the attempt or with what the provider said before, and a person has
 *   to look.
 */
export type EventOutcome = 'applied' | 'ignored' | 'absent' | 'early' | 'contradicts';

/** A provider's event about an attempt. */
export interface ToldEvent {
  readonly attemptId: string;
  readonly event: ProviderPayoutEvent;
  /** Runs work as part of the job that applies the event, for its traces. */
  readonly within: <T>(work: () => T) => T;
}

/** An event that agrees with its attempt, and what follows from it. */
interface Agreeing {
  readonly attempt: DisbursementAttempt;
  readonly event: ProviderPayoutEvent;
  readonly told: ProviderStatement;
  readonly fields: Readonly<Record<string, unknown>>;
}

type Applied = Awaited<ReturnType<typeof applyTogether>>[number];

/**
 * Applies events of one provider to the payouts of their attempts, which are all different, in the transaction of
 * `client`, and returns what became of each. Every event except a release proves that the provider has the attempt, and
 * the first one is reported as `payout.acknowledged`. An event that contradicts the attempt proves nothing.
 */
export async function applyPayoutEvents(
  client: PoolClient,
  scope: Scope,
  given: readonly ToldEvent[],
): Promise<EventOutcome[]> {
  const ids = given.map(({ attemptId }) => attemptId);
  const attempts = await lockAttempts(client, scope, ids);
  const results = new Map<ToldEvent, EventOutcome>();
  const agreeing = new Map<ToldEvent, Agreeing>();
  for (const told of given) {
    const judged = await judge(client, scope, attempts.get(told.attemptId), told);
    if (typeof judged === 'string') results.set(told, judged);
    else agreeing.set(told, judged);
  }
  const applied = await applyAgreeing(client, scope, [...agreeing.values()]);
  for (const [index, [told, one]] of [...agreeing].entries()) {
    results.set(told, await conclude(client, scope, one, applied.get(index)));
  }
  return given.map((told) => results.get(told) ?? 'absent');
}

/** What becomes of an event that does not simply agree with its attempt; otherwise what follows from it. */
async function judge(
  client: PoolClient,
  scope: Scope,
  locked: DisbursementAttempt | undefined,
  { event, within }: ToldEvent,
): Promise<EventOutcome | Agreeing> {
  // The signature proves which provider sent it. It may speak of its own attempts only.
  if (locked === undefined || locked.provider !== providerOf(scope)) return 'absent';
  const claim = claimOfEvent(event, outcomes[event.type]);
  const { eventId } = event;
  const attempt = await hearName(client, scope, locked, [claim], { source: 'event', eventId });
  const wrong = contradictionsOf(attempt, [claim]);
  if (wrong.length > 0) return contradicted(client, scope, attempt, event, wrong);
  if (attempt.status === 'rejected') return applyToRefused(client, scope, attempt, event);
  // It may release the hold for which the attempt is being refused, and then nothing was taken.
  if (event.type === 'released' && attempt.status !== 'submitted') return 'early';
  const { railRef, failure } = event;
  const told = {
    source: 'event',
    eventId,
    claim,
    outcome: outcomes[event.type],
    railRef,
    failure,
  } as const;
  return { attempt, event, told, fields: within(() => fieldsOf(attempt, event, told)) };
}

/** An event as apply-payout-events.sql takes it: the lock of the attempt tells which steps are over already. */
function fieldsOf(
  attempt: DisbursementAttempt,
  event: ProviderPayoutEvent,
  told: ProviderStatement,
) {
  const { paid, ended } = timesOf(told.claim);
  const { expectedDeliveryDate: arrival, occurredAt } = event;
  const taken = { provider_payout: event.providerPayoutId, rail_ref: event.railRef };
  return {
    attempt: attempt.id,
    payout: attempt.payoutId,
    accept: attempt.status === 'submitted' ? null : { ...taken, event: acceptedEvent() },
    acknowledge:
      attempt.acknowledgedAt !== null
        ? null
        : eventFields({
            type: 'payout.acknowledged',
            discriminator: attempt.id,
            tail: { acknowledged_at: occurredAt },
          }),
    estimate:
      event.type !== 'estimated' || arrival === null
        ? null
        : {
            arrival,
            made_at: occurredAt,
            event: eventFields({
              type: 'payout.estimated_arrival_at',
              tail: { expected_delivery_date: arrival },
            }),
          },
    moves: movesOf(attempt, told).map(wireMove),
    paid_at: paid,
    ended_at: ended,
  };
}

/** What became of each event, by its place. */
async function applyAgreeing(
  client: PoolClient,
  scope: Scope,
  agreeing: readonly Agreeing[],
): Promise<ReadonlyMap<number, Applied>> {
  if (agreeing.length === 0) return new Map();
  const applied = await applyTogether(client, scope.tenantId, {
    actor: scope.actor,
    events: agreeing.map(({ fields }, n) => ({ n, ...fields })),
  });
  if (applied.some(({ addsJob }) => addsJob)) wakeAfter(client);
  return new Map(applied.map((row) => [row.n, row]));
}

async function conclude(
  client: PoolClient,
  scope: Scope,
  { attempt, event, told }: Agreeing,
  applied: Applied | undefined,
): Promise<EventOutcome> {
  if (applied === undefined) throw new Error(`nothing is said of the event ${event.eventId}`);
  if (applied.refused) {
    return contradicted(client, scope, attempt, event, [paymentOfAnother(told.claim)]);
  }
  if (applied.moved) {
    const effect = await doubtFailure(client, scope, attempt, told);
    return effect === 'contradicts' ? effect : 'applied';
  }
  const effect = await noteUnmoved(client, scope, attempt, told);
  if (effect === 'contradicts') return effect;
  return applied.news || effect === 'applied' ? 'applied' : 'ignored';
}

/** Records contradictions. Nothing else changes; those that a person has examined are ignored. */
async function contradicted(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  { eventId }: ProviderPayoutEvent,
  wrong: readonly Contradiction[],
): Promise<EventOutcome> {
  const source = { source: 'event', eventId } as const;
  const { open } = await recordContradictions(client, scope, attempt, wrong, source);
  return open ? 'contradicts' : 'ignored';
}

/** Events that a provider sends only about payments that it took. */
const provesTaken: readonly PayoutEventType[] = [
  'acknowledged',
  'estimated',
  'disbursed',
  'settled',
  'returned',
];

/**
 * An event about a refused attempt. A release says that the hold for which it was refused is lifted; the
 * payout then waits for a decision again. An event that proves a payment is a contradiction.
 */
async function applyToRefused(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  event: ProviderPayoutEvent,
): Promise<EventOutcome> {
  if (event.type === 'released') {
    // A late repetition must not release a later hold.
    const released = await movePayoutTo(client, scope, attempt.payoutId, {
      trigger: 'release',
      when: { kind: 'held_by_attempt', attemptId: attempt.id },
    });
    return released === null ? 'ignored' : 'applied';
  }
  if (!provesTaken.includes(event.type)) return 'ignored';
  const wrong = takenAfterAll(claimOfEvent(event, outcomes[event.type]));
  return contradicted(client, scope, attempt, event, [wrong]);
}
