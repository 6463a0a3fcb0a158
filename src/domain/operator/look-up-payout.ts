import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import type { Services } from '../../process/services.ts';
import { applyAnswer } from '../disbursement/answer.ts';
import { lockAttempt } from '../disbursement/store.ts';
import { findAttemptToAskFor } from './attempt-store.ts';
import { carryOut, type AskedOrder } from './carry-out.ts';
import type { OrderRef } from './payout-order.ts';

/**
 * The outcome of a look-up, as ops.action_log shows it:
 *
 * - `applied`: the answer changed the payout or its attempt.
 * - `nothing_new`: the answer says what is already recorded.
 * - `not_at_provider`: the provider has nothing under the attempt's reference, which proves nothing.
 * - `contradicts`: the answer disagrees with the attempt or with an earlier answer, so nothing moved.
 * - `no_answer`: the provider did not answer.
 * - `no_attempt`: the payout has no attempt to ask about.
 * - `no_provider`: the attempt's provider is not configured.
 */
export type LookUpOutcome =
  | 'applied'
  | 'nothing_new'
  | 'not_at_provider'
  | 'contradicts'
  | 'no_answer'
  | 'no_attempt'
  | 'no_provider';

/**
 * Carries out an operator's order to ask the provider about a payout; called by a job. The answer is applied
 * by the rules of the reconciliation. An order is carried out once, however often its job runs. It ends
 * without an answer too, and the operator may give another.
 */
export function lookUpPayout(services: Services, ref: OrderRef): Promise<void> {
  return carryOut<LookUpOutcome>(services, ref, {
    action: 'look_up_payout',
    find: findAttemptToAskFor,
    withoutAttempt: 'no_attempt',
    conclude,
  });
}

async function conclude(
  client: PoolClient,
  scope: Scope,
  asked: AskedOrder,
): Promise<LookUpOutcome> {
  const { answer, order } = asked;
  if (answer.kind !== 'answer') return answer.kind;
  const attempt = await lockAttempt(client, scope, asked.attempt.id);
  if (attempt === null) return 'no_attempt';
  const applied = await applyAnswer(client, scope, attempt, answer.found, order.reason);
  if (applied !== 'nothing') return applied;
  return answer.found.length === 0 ? 'not_at_provider' : 'nothing_new';
}
