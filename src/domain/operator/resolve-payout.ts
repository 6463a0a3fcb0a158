import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import type { ProviderPayout } from '../../providers/port.ts';
import type { Services } from '../../process/services.ts';
import { applyAnswer } from '../disbursement/answer.ts';
import { lockAttempt, recordAccepted } from '../disbursement/store.ts';
import { movePayoutTo } from '../payout/transition.ts';
import {
  findAttemptToResolve,
  isPaymentOfAnother,
  noteSeen,
  rejectAttempt,
} from './attempt-store.ts';
import { carryOut, type Asked } from './carry-out.ts';
import type { OrderRef, PayoutOrder } from './payout-order.ts';

/** What an operator says became of the money. */
export const resolutions = ['paid', 'not_paid'] as const;

/** The detail of the order, as psql and GraphQL write it. */
const resolutionDetail = z.object({
  outcome: z.enum(resolutions),
  provider_payout_id: z.string().min(1).nullish(),
});

/**
 * What became of a resolution, as ops.action_log shows it: done as ordered; the payout is at an end
 * that excludes it, so the attempt is only marked as seen; the provider answered when it was asked
 * once more, and its answer counted; it has the payment that was said not to be made; its answer
 * disagrees with the attempt, which a person has to examine before no payment is said; it did not
 * answer, and without its answer no payment is said not to be made; no outcome is open, or the
 * provider was called again while it was asked; a payment without the provider's id, or with that of
 * another attempt; a detail that says neither.
 */
export type ResolveOutcome =
  | 'paid'
  | 'not_paid'
  | 'noted'
  | 'provider_answered'
  | 'provider_has_it'
  | 'contradicts'
  | 'no_answer'
  | 'not_open'
  | 'provider_payout_id_missing'
  | 'provider_payout_id_taken'
  | 'detail_invalid';

/**
 * Carries out an operator's order to settle an attempt whose outcome is unknown or that needs one, as
 * a job. `paid` makes it submitted under the provider's id and the payout disbursed; `not_paid` makes
 * it rejected and the payout failed, which may then be replaced. The provider is asked once more before,
 * and what it says, or has said by an event meanwhile, comes before the operator's word: a replacement
 * of a payout that was paid would pay twice (invariant M4). So `not_paid` waits for its answer, unless
 * the provider is configured no more and can give none. An order is carried out once.
 */
export function resolvePayout(services: Services, ref: OrderRef): Promise<void> {
  return carryOut<ResolveOutcome>(services, ref, {
    action: 'resolve_payout',
    find: findAttemptToResolve,
    withoutAttempt: 'not_open',
    conclude: settle,
  });
}

async function settle(client: PoolClient, scope: Scope, asked: Asked): Promise<ResolveOutcome> {
  const { answer, order } = asked;
  const detail = resolutionDetail.safeParse(order.detail);
  if (!detail.success) return 'detail_invalid';
  const { outcome, provider_payout_id: named = null } = detail.data;
  const attempt = await lockAttempt(client, scope, asked.attempt.id);
  // An event of the provider came meanwhile, or a further call, of which its answer knows nothing.
  if (attempt === null || !isOpen(attempt) || attempt.calls !== asked.attempt.calls) {
    return 'not_open';
  }
  if (answer.kind === 'answer' && answer.found.length > 0) {
    const applied = await applyAnswer(client, scope, attempt, answer.found, order.reason);
    const agreed = answer.found.every(({ status }) => saying[outcome].includes(status));
    if (applied === 'applied') {
      if (agreed) await noteSeen(client, scope, attempt.id, null);
      return 'provider_answered';
    }
    if (outcome === 'not_paid' && !agreed) return 'provider_has_it';
    if (outcome === 'not_paid' && applied === 'contradicts') return 'contradicts';
  }
  if (outcome === 'not_paid') {
    return answer.kind === 'no_answer' ? 'no_answer' : settleUnpaid(client, scope, attempt, order);
  }
  const providerPayoutId = attempt.providerPayoutId ?? named;
  if (providerPayoutId === null) return 'provider_payout_id_missing';
  if (await isPaymentOfAnother(client, scope, attempt, providerPayoutId)) {
    return 'provider_payout_id_taken';
  }
  return settlePaid(client, scope, attempt, providerPayoutId, order);
}

/** What the provider says of a payment where it agrees with the operator. */
const saying: Record<(typeof resolutions)[number], readonly ProviderPayout['status'][]> = {
  paid: ['disbursed', 'settled', 'returned'],
  not_paid: ['failed'],
};

function isOpen({ status, needsOperator }: DisbursementAttempt): boolean {
  return status === 'unknown' || needsOperator;
}

async function settlePaid(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  providerPayoutId: string,
  { reason }: PayoutOrder,
): Promise<ResolveOutcome> {
  const taken = { payoutId: providerPayoutId, railRef: null };
  await recordAccepted(client, scope, attempt.id, taken);
  await noteSeen(client, scope, attempt.id, providerPayoutId);
  const disbursed = await movePayoutTo(client, scope, attempt.payoutId, {
    trigger: 'disburse',
    when: { kind: 'live_attempt', attemptId: attempt.id },
    reason,
  });
  return disbursed === null ? 'noted' : 'paid';
}

/** For the business: the operator's own words stand in the record of the transition. */
const unpaid = { code: 'other', message: 'The payment was not made, as an operator found.' };

async function settleUnpaid(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  { reason }: PayoutOrder,
): Promise<ResolveOutcome> {
  // First the payout: an attempt whose payout may no longer fail was not refused either.
  const failed = await movePayoutTo(client, scope, attempt.payoutId, {
    trigger: 'fail',
    when: { kind: 'live_attempt', attemptId: attempt.id },
    failure: unpaid,
    reason,
  });
  if (failed === null) {
    await noteSeen(client, scope, attempt.id, null);
    return 'noted';
  }
  await rejectAttempt(client, scope, attempt.id, unpaid);
  return 'not_paid';
}
