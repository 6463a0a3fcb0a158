import type { PoolClient } from 'pg';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import type { ProviderPayout } from '../../providers/port.ts';
import { recordContradictions } from '../contradiction/contradiction-store.ts';
import {
  claimOfAnswer,
  contradictionsOf,
  paymentOfAnother,
  shownId,
  refusedAfterAll,
  takenAfterAll,
  type Claim,
  type Contradiction,
} from '../contradiction/contradiction.ts';
import { hearName } from './named-payment.ts';
import { applyOutcome, type Effect, type Outcome } from './outcome.ts';
import { acceptedEvent, recordAccepted } from './accepted-store.ts';
import { lockAttempt, recordNotAccepted } from './store.ts';
import { commitAccepted } from './together.ts';

const outcomes: Record<ProviderPayout['status'], Outcome | null> = {
  processing: null,
  held: null,
  disbursed: 'disbursed',
  settled: 'settled',
  failed: 'failed',
  returned: 'returned',
};

/**
 * Applies the answer to a look-up of an attempt. The transaction of `client` holds the attempt's
 * lock. The effect is that of the provider's event, so an event that comes later changes nothing. An
 * empty answer proves nothing while the outcome is unknown: the call may still be on its way. If the
 * provider does not know a payment that it took, it contradicts itself, and the payout does not fail.
 *
 * @param reason why the provider was asked, for the records of the transitions
 */
export async function applyAnswer(
  client: PoolClient,
  scope: Scope,
  held: DisbursementAttempt,
  found: readonly ProviderPayout[],
  reason?: string,
): Promise<Effect> {
  const source = { source: 'look_up' } as const;
  const claims = found.map(claimOfAnswer);
  const attempt = await hearName(client, scope, held, claims, source);
  const wrong = disagreements(attempt, claims);
  if (wrong.length > 0) return contradicted(client, scope, attempt, wrong);
  const [payout] = found;
  const [claim] = claims;
  if (payout === undefined || claim === undefined || attempt.status === 'rejected') {
    return 'nothing';
  }
  const { providerPayoutId: payoutId, railRef, failure } = payout;
  const open = attempt.status !== 'submitted';
  if (open && !(await recordAccepted(client, scope, attempt.id, { payoutId, railRef }))) {
    return contradicted(client, scope, attempt, [paymentOfAnother(claim)]);
  }
  const applied = await applyOutcome(client, scope, attempt, {
    ...source,
    claim,
    outcome: outcomes[payout.status],
    railRef,
    failure,
    ...(reason === undefined ? {} : { reason }),
  });
  return open && applied === 'nothing' ? 'applied' : applied;
}

/** The contradictions between an attempt and the answer to a look-up. */
function disagreements(attempt: DisbursementAttempt, claims: readonly Claim[]): Contradiction[] {
  const wrong = contradictionsOf(attempt, claims);
  if (wrong.length > 0) return wrong;
  const [claim] = claims;
  if (claim === undefined) {
    if (attempt.status !== 'submitted') return [];
    return [
      { kind: 'missing', said: 'nothing', expected: shownId(attempt.providerPayoutId ?? '') },
    ];
  }
  return attempt.status === 'rejected' && claim.says !== 'failed' ? [takenAfterAll(claim)] : [];
}

async function contradicted(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  wrong: readonly Contradiction[],
): Promise<Effect> {
  const { open } = await recordContradictions(client, scope, attempt, wrong, {
    source: 'look_up',
  });
  return open ? 'contradicts' : 'nothing';
}

/**
 * Records that the provider took an attempt, by its answer to the submission or to a look-up before
 * another call.
 * - `known`: an event or another run recorded it before.
 * - `contradicts`: the answer disagrees with the attempt. The attempt does not count as taken and waits
 *   for a person. So it does where an operator resolved it as not paid while the answer was on its way,
 *   since the payout may have been replaced.
 */
export async function recordTaken(
  call: Call,
  attempt: DisbursementAttempt,
  found: readonly ProviderPayout[],
  source: 'submission' | 'look_up',
): Promise<'taken' | 'known' | 'contradicts'> {
  const { scope, services } = call;
  const claims = found.map(claimOfAnswer);
  const [claim] = claims;
  const [payout] = found;
  if (claim === undefined || payout === undefined) return 'known';
  const said = contradictionsOf(attempt, claims);
  if (said.length === 0) {
    const { providerPayoutId: payoutId, railRef } = payout;
    const accepted = { attemptId: attempt.id, payoutId, railRef, event: acceptedEvent() };
    if (await commitAccepted(call, accepted)) return 'taken';
  }
  return inTransaction(services.pool, async (client) => {
    let wrong = said;
    if (wrong.length === 0) {
      const locked = await lockAttempt(client, scope, attempt.id);
      const current =
        locked === null ? null : await hearName(client, scope, locked, claims, { source });
      wrong = current === null ? [] : besideCurrent(current, claim);
      if (wrong.length === 0) return 'known';
    }
    await recordContradictions(client, scope, attempt, wrong, { source });
    await recordNotAccepted(client, scope, attempt, {
      status: 'unknown',
      code: 'other',
      message: "The provider's answer disagrees with the attempt.",
      needsOperator: true,
    });
    return 'contradicts';
  });
}

/** Why a payment that agrees with the attempt as it was sent was not recorded for it. */
function besideCurrent(current: DisbursementAttempt, claim: Claim): Contradiction[] {
  switch (current.status) {
    case 'rejected':
      return claim.says === 'failed' ? [] : [takenAfterAll(claim)];
    case 'submitted':
      return contradictionsOf(current, [{ ...claim, says: null }]);
    default:
      return [paymentOfAnother(claim)];
  }
}

/**
 * Notes that the latest call of an attempt was refused which the provider has, as its own event said meanwhile. The same
 * contradiction as when the event comes after the refusal. The answer to an earlier call says nothing of a later one.
 */
export async function noteRefusalOfTaken(
  client: PoolClient,
  scope: Scope,
  { id, calls }: Pick<DisbursementAttempt, 'id' | 'calls'>,
): Promise<void> {
  const current = await lockAttempt(client, scope, id);
  if (current?.status !== 'submitted' || current.calls !== calls) return;
  const wrong = refusedAfterAll(current.providerPayoutId ?? '');
  await recordContradictions(client, scope, current, [wrong], { source: 'submission' });
}
