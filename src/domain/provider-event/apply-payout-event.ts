import type { PoolClient } from 'pg';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import { providerOf, type Scope } from '../../access/scope.ts';
import { command } from '../../db/command.ts';
import { firstRow } from '../../db/pool.ts';
import type { PayoutEventType, ProviderPayoutEvent } from '../../providers/port.ts';
import { recordContradictions } from '../contradiction/contradiction-store.ts';
import {
  claimOfEvent,
  contradictionsOf,
  paymentOfAnother,
  takenAfterAll,
  type Contradiction,
} from '../contradiction/contradiction.ts';
import { applyOutcome, type Outcome } from '../disbursement/outcome.ts';
import { hearName } from '../disbursement/named-payment.ts';
import { lockAttempt, recordAccepted } from '../disbursement/store.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { wireEvent, type EventDraft } from '../event/record.ts';
import { movePayoutTo } from '../payout/transition.ts';

/**
 * What an event says of the money. `held` and `released` change nothing after the hand-over, since the
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

/**
 * Applies a provider's event to the payout of an attempt, in the transaction of `client`. Every event
 * except a release proves that the provider has the attempt, and the first one is reported as
 * `payout.acknowledged`. An event that contradicts the attempt proves nothing.
 */
export async function applyPayoutEvent(
  client: PoolClient,
  scope: Scope,
  attemptId: string,
  event: ProviderPayoutEvent,
): Promise<EventOutcome> {
  const locked = await lockAttempt(client, scope, attemptId);
  // The signature proves which provider sent it. It may speak of its own attempts only.
  if (locked === null || locked.provider !== providerOf(scope)) return 'absent';
  const claim = claimOfEvent(event, outcomes[event.type]);
  const { eventId } = event;
  const attempt = await hearName(client, scope, locked, [claim], { source: 'event', eventId });
  const wrong = contradictionsOf(attempt, [claim]);
  if (wrong.length > 0) return contradicted(client, scope, attempt, event, wrong);
  if (attempt.status === 'rejected') return applyToRefused(client, scope, attempt, event);
  // It may release the hold for which the attempt is being refused, and then nothing was taken.
  if (event.type === 'released' && attempt.status !== 'submitted') return 'early';
  const taken = { payoutId: event.providerPayoutId, railRef: event.railRef };
  const accepted = await recordAccepted(client, scope, attempt.id, taken);
  if (!accepted && attempt.status !== 'submitted') {
    return contradicted(client, scope, attempt, event, [paymentOfAnother(claim)]);
  }
  const acknowledged = await acknowledge(client, scope, attempt, event);
  const estimated = event.type === 'estimated' && (await estimate(client, scope, attempt, event));
  const { railRef, failure } = event;
  const said = { source: 'event', eventId, claim } as const;
  const told = { ...said, outcome: outcomes[event.type], railRef, failure };
  const result = await applyOutcome(client, scope, attempt, told);
  if (result === 'contradicts') return result;
  return acknowledged || estimated || result === 'applied' ? 'applied' : 'ignored';
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

export const acknowledgeAttempt = command({
  name: 'acknowledge_attempt',
  comment:
    'Notes the first authentic event about an attempt (src/domain/provider-event/apply-payout-event.ts).',
  parameters: { tenant: 'text', attempt: 'text', event: 'jsonb' },
  returns: 'TABLE (adds_job boolean)',
  select: 'r.adds_job AS "addsJob"',
  declare: `
  acknowledged public.disbursement_attempt;
  concerned public.payout;`,
  body: `
  UPDATE public.disbursement_attempt AS a SET acknowledged_at = now()
  WHERE a.tenant_id = _tenant AND a.id = _attempt AND a.acknowledged_at IS NULL
  RETURNING a.* INTO acknowledged;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT p.* INTO concerned FROM public.payout p
  WHERE p.tenant_id = _tenant AND p.id = acknowledged.payout_id;
  adds_job := command.record_event(concerned, _event);
  RETURN NEXT;`,
});

/** Records `payout.acknowledged`, once for each attempt, with its first authentic event. */
async function acknowledge(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  event: ProviderPayoutEvent,
): Promise<boolean> {
  const draft: EventDraft = {
    type: 'payout.acknowledged',
    discriminator: attempt.id,
    tail: { acknowledged_at: event.occurredAt },
  };
  const values = acknowledgeAttempt.of({
    tenant: scope.tenantId,
    attempt: attempt.id,
    event: wireEvent(draft),
  });
  const row = await firstRow<{ addsJob: boolean }>(client, acknowledgeAttempt, values);
  if (row?.addsJob === true) wakeAfter(client);
  return row !== null;
}

/**
 * The newest estimate by the provider's clock wins, and of two at one instant the later date. The same
 * date again is no change. Times are cut to the column's milliseconds before they are compared, or an
 * older estimate of the same millisecond would count as newer. An estimate is recorded in every state of
 * the payout. The number of the change makes its event unique.
 */
export const changeEstimate = command({
  name: 'change_estimate',
  comment: `Notes when a payout is expected to arrive (src/domain/provider-event/apply-payout-event.ts). No row for an
-- estimate that is not the newest.`,
  parameters: {
    tenant: 'text',
    payout: 'text',
    arrival: 'timestamptz',
    madeAt: 'timestamptz',
    event: 'jsonb',
  },
  returns: 'TABLE (adds_job boolean)',
  select: 'r.adds_job AS "addsJob"',
  declare: `
  arrival timestamptz(3) := _arrival;
  made_at timestamptz(3) := _made_at;
  concerned public.payout;`,
  body: `
  UPDATE public.payout AS p SET
    estimated_arrival_at = arrival, estimate_made_at = made_at, estimate_count = p.estimate_count + 1,
    updated_at = command.clock()
  WHERE p.tenant_id = _tenant AND p.id = _payout AND p.estimated_arrival_at IS DISTINCT FROM arrival
    AND (p.estimate_made_at IS NULL OR (p.estimate_made_at, p.estimated_arrival_at) < (made_at, arrival))
  RETURNING p.* INTO concerned;
  IF FOUND THEN
    adds_job := command.record_event(
      concerned, _event || jsonb_build_object('discriminator', concerned.estimate_count::text)
    );
    RETURN NEXT;
    RETURN;
  END IF;
  UPDATE public.payout AS p SET estimate_made_at = made_at, updated_at = command.clock()
  WHERE p.tenant_id = _tenant AND p.id = _payout AND p.estimated_arrival_at = arrival
    AND p.estimate_made_at < made_at;
  IF FOUND THEN
    adds_job := false;
    RETURN NEXT;
  END IF;`,
});

async function estimate(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  event: ProviderPayoutEvent,
): Promise<boolean> {
  if (event.expectedDeliveryDate === null) return false;
  const values = changeEstimate.of({
    tenant: scope.tenantId,
    payout: attempt.payoutId,
    arrival: event.expectedDeliveryDate,
    madeAt: event.occurredAt,
    event: wireEvent({
      type: 'payout.estimated_arrival_at',
      tail: { expected_delivery_date: event.expectedDeliveryDate },
    }),
  });
  const row = await firstRow<{ addsJob: boolean }>(client, changeEstimate, values);
  if (row?.addsJob === true) wakeAfter(client);
  return row !== null;
}
