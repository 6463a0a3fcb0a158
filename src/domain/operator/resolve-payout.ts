import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import type { ProviderPayout } from '../../providers/port.ts';
import type { Services } from '../../process/services.ts';
import { recordContradictions } from '../contradiction/contradiction-store.ts';
import { failedThoughPaid } from '../contradiction/contradiction.ts';
import { applyAnswer } from '../disbursement/answer.ts';
import { recordAccepted } from '../disbursement/accepted-store.ts';
import { lockAttempt } from '../disbursement/store.ts';
import { movePayoutTo } from '../payout/transition.ts';
import {
  findAttemptToResolve,
  isPaymentOfAnother,
  isToResolve,
  noteNamed,
  noteSeen,
  rejectAttempt,
} from './attempt-store.ts';
import { carryOut, type AskedOrder } from './carry-out.ts';
import { isConfirmed } from './confirmation-store.ts';
import type { OrderRef, PayoutOrder } from './payout-order.ts';

/** What happened to the money, as an operator says. */
export const resolutions = ['paid', 'not_paid'] as const;

/** The detail of the order, as psql and GraphQL write it. */
const resolutionDetail = z.object({
  outcome: z.enum(resolutions),
  provider_payout_id: z.string().min(1).nullish(),
});

/**
 * The outcome of a resolution, as ops.action_log shows it:
 *
 * - `paid`, `not_paid`: done as ordered.
 * - `noted`: the payout is in another final state, so only the mark of the attempt was removed.
 * - `provider_answered`: the provider was asked once more, and its answer was applied instead.
 * - `provider_has_it`: the order was `not_paid`, and the provider has the payment.
 * - `contradicts`: the order was `not_paid`, and the answer disagrees with the attempt; examine that first.
 * - `no_answer`: the order was `not_paid`, and the provider did not answer.
 * - `not_open`: no outcome is open, or the provider was called again while it was asked.
 * - `provider_payout_id_missing`, `provider_payout_id_taken`: the order was `paid` without the provider's id
 *   of the payment, or with the id of another attempt.
 * - `detail_invalid`: the order is malformed.
 *
 * An order that a second person did not confirm ends as `declined`.
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
 * Carries out an operator's order to resolve an attempt whose outcome is unknown, that needs an operator, or whose
 * debit a bank has not shown in time; called by a job. `paid` makes the attempt submitted, under the provider's id, and the payout disbursed.
 * `not_paid` makes the attempt rejected and the payout failed, which may then be replaced; where the provider or the bank
 * has said that money moved, once an operator has examined that contradiction too.
 *
 * The provider is asked once more first. Its answer, or an event of it in the meantime, overrules the
 * operator: a replacement of a payout that was paid would pay twice. So `not_paid` needs the provider's
 * answer, unless the provider is not configured and can give none. An order is carried out once. Where
 * RESOLUTION_CONFIRMATION asks for a second person, it waits for the confirmation.
 */
export function resolvePayout(services: Services, ref: OrderRef): Promise<void> {
  return carryOut<ResolveOutcome>(services, ref, {
    action: 'resolve_payout',
    admits: async ({ actionId }) =>
      services.config.RESOLUTION_CONFIRMATION === 'none' ||
      (await isConfirmed(services.pool, actionId)),
    find: findAttemptToResolve,
    withoutAttempt: 'not_open',
    conclude: settle,
  });
}

async function settle(
  client: PoolClient,
  scope: Scope,
  asked: AskedOrder,
): Promise<ResolveOutcome> {
  const { answer, order } = asked;
  const detail = resolutionDetail.safeParse(order.detail);
  if (!detail.success) return 'detail_invalid';
  const { outcome, provider_payout_id: named = null } = detail.data;
  const attempt = await lockAttempt(client, scope, asked.attempt.id);
  // While the provider was asked, one of its events came, or a further call that its answer does not cover.
  if (attempt === null || attempt.calls !== asked.attempt.calls) return 'not_open';
  if (!(await isToResolve(client, scope, attempt.id))) return 'not_open';
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

/** The statuses by which a provider agrees with each resolution. */
const saying: Record<(typeof resolutions)[number], readonly ProviderPayout['status'][]> = {
  paid: ['disbursed', 'settled', 'returned'],
  not_paid: ['failed'],
};

async function settlePaid(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  providerPayoutId: string,
  { reason, actionId }: PayoutOrder,
): Promise<ResolveOutcome> {
  const taken = { payoutId: providerPayoutId, railRef: null };
  if (attempt.providerPayoutId === null) await noteNamed(client, scope, attempt.id, actionId);
  await recordAccepted(client, scope, attempt.id, taken);
  await noteSeen(client, scope, attempt.id, providerPayoutId);
  const disbursed = await movePayoutTo(client, scope, attempt.payoutId, {
    trigger: 'disburse',
    when: { kind: 'live_attempt', attemptId: attempt.id },
    reason,
  });
  return disbursed === null ? 'noted' : 'paid';
}

/** What the business reads. The operator's own words are in the record of the transition. */
const unpaid = { code: 'other', message: 'The payment was not made, as an operator found.' };

async function settleUnpaid(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  { reason }: PayoutOrder,
): Promise<ResolveOutcome> {
  // The payout moves first: if it cannot fail, the attempt must not be recorded as rejected either.
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
  // The bank called it executed. One person's word does not free the replacement; the examination of both words does.
  if (attempt.executedToldAt !== null || attempt.paidToldAt !== null) {
    await recordContradictions(client, scope, attempt, [failedThoughPaid], { source: 'look_up' });
  }
  return 'not_paid';
}
