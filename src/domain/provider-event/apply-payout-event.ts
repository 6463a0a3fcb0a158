import type { PoolClient } from 'pg';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import { providerOf, type Scope } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, type Statement } from '../../db/pool.ts';
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
import {
  enqueueDelivery,
  eventCtes,
  eventParameters,
  eventValues,
  type EventDraft,
} from '../event/record.ts';
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

const acknowledgeAttempt = named(
  'acknowledge_attempt',
  ['tenant', 'attempt', ...eventParameters],
  `
    WITH acknowledged AS (
      UPDATE disbursement_attempt SET acknowledged_at = now()
      WHERE tenant_id = @tenant AND id = @attempt AND acknowledged_at IS NULL
      RETURNING payout_id
    ),
    concerned AS (
      SELECT p.* FROM payout p JOIN acknowledged a ON a.payout_id = p.id WHERE p.tenant_id = @tenant
    ),
    ${eventCtes('concerned')}
    SELECT (SELECT id FROM planned_delivery) AS "deliveryId" FROM concerned`,
);

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
    ...eventValues(draft),
  });
  const row = await firstRow<{ deliveryId: string | null }>(client, acknowledgeAttempt, values);
  if (row !== null) await enqueueDelivery(client, scope.tenantId, row.deliveryId);
  return row !== null;
}

/**
 * The newest estimate by the provider's clock wins, and of two at one instant the later date. The same
 * date again is no change. Times are cut to the column's milliseconds before they are compared, or an
 * older estimate of the same millisecond would count as newer. An estimate is recorded in every state of
 * the payout. The number of the change makes its event unique.
 */
const changeEstimate: Statement = {
  name: 'change_estimate',
  text: `
    UPDATE payout p SET
      estimated_arrival_at = $3::timestamptz(3),
      estimate_made_at = $4::timestamptz(3),
      estimate_count = p.estimate_count
        + CASE WHEN p.estimated_arrival_at IS DISTINCT FROM $3::timestamptz(3) THEN 1 ELSE 0 END,
      updated_at = clock_timestamp()
    WHERE p.tenant_id = $1 AND p.id = $2
      AND (p.estimate_made_at IS NULL
        OR (p.estimate_made_at, p.estimated_arrival_at) < ($4::timestamptz(3), $3::timestamptz(3)))
    RETURNING old.estimate_count < new.estimate_count AS changed,
      new.estimate_count AS "estimateCount"`,
};

const recordEstimateEvent = named(
  'record_estimate_event',
  ['tenant', 'payout', ...eventParameters],
  `
    WITH concerned AS (
      SELECT p.* FROM payout p WHERE p.tenant_id = @tenant AND p.id = @payout
    ),
    ${eventCtes('concerned')}
    SELECT (SELECT id FROM planned_delivery) AS "deliveryId" FROM concerned`,
);

async function estimate(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  event: ProviderPayoutEvent,
): Promise<boolean> {
  if (event.expectedDeliveryDate === null) return false;
  const change = await firstRow<{ changed: boolean; estimateCount: number }>(
    client,
    changeEstimate,
    [scope.tenantId, attempt.payoutId, event.expectedDeliveryDate, event.occurredAt],
  );
  if (change === null || !change.changed) return change !== null;
  const values = recordEstimateEvent.of({
    tenant: scope.tenantId,
    payout: attempt.payoutId,
    ...eventValues({
      type: 'payout.estimated_arrival_at',
      discriminator: String(change.estimateCount),
      tail: { expected_delivery_date: event.expectedDeliveryDate },
    }),
  });
  const row = await firstRow<{ deliveryId: string | null }>(client, recordEstimateEvent, values);
  if (row !== null) await enqueueDelivery(client, scope.tenantId, row.deliveryId);
  return true;
}
