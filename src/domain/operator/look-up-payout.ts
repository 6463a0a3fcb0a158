import type { PoolClient } from 'pg';
import type { Scope } from '../../access/scope.ts';
import type { Services } from '../../process/services.ts';
import { applyAnswer } from '../disbursement/answer.ts';
import { lockAttempt } from '../disbursement/store.ts';
import { findAttemptToAskFor } from './attempt-store.ts';
import { carryOut, type Asked } from './carry-out.ts';
import type { OrderRef } from './payout-order.ts';

/**
 * What became of a look-up, as ops.action_log shows it: the answer changed the payout or its attempt;
 * told nothing new; the provider has nothing under the attempt's reference, from which nothing is
 * concluded; it disagrees with the attempt or with what it said before, so nothing moved; it did not answer; there is no attempt
 * to ask for, or nobody to ask.
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
 * Carries out an operator's order to ask the provider about a payout now, as a job. The answer is
 * applied by the rules of the reconciliation. An order is carried out once, however often its job
 * runs; a provider that does not answer ends it too, for the operator to give another.
 */
export function lookUpPayout(services: Services, ref: OrderRef): Promise<void> {
  return carryOut<LookUpOutcome>(services, ref, {
    action: 'look_up_payout',
    find: findAttemptToAskFor,
    withoutAttempt: 'no_attempt',
    conclude,
  });
}

async function conclude(client: PoolClient, scope: Scope, asked: Asked): Promise<LookUpOutcome> {
  const { answer, order } = asked;
  if (answer.kind !== 'answer') return answer.kind;
  const attempt = await lockAttempt(client, scope, asked.attempt.id);
  if (attempt === null) return 'no_attempt';
  const applied = await applyAnswer(client, scope, attempt, answer.found, order.reason);
  if (applied !== 'nothing') return applied;
  return answer.found.length === 0 ? 'not_at_provider' : 'nothing_new';
}
