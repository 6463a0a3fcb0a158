import { requirePermission } from '../../access/scope.ts';
import type { Call } from '../../process/services.ts';
import { answerStepUp } from '../step-up/answer.ts';
import { decideInBulk, type BulkDecision } from './decide-bulk.ts';
import { decideOnPayout, type Decided } from './decide.ts';
import type { DecisionInput } from './decision-input.ts';
import { findDecision } from './decision-store.ts';

/**
 * Approves a payout, with the answer of the caller's passkey where one is given. The same decision again is replayed
 * without another signature. Throws as `decideOnPayout` and `answerStepUp`.
 */
export async function approveSigned(
  call: Call,
  payoutId: string,
  input: Pick<DecisionInput, 'decisionId' | 'reasons'>,
  response: unknown,
): Promise<Decided> {
  const given = { ...input, status: 'approved' } as const;
  if (response === null || response === undefined) return decideOnPayout(call, payoutId, given);
  const { scope, services } = call;
  requirePermission(scope, 'payouts:decide');
  const id = input.decisionId.toUpperCase();
  const earlier = await findDecision(services.pool, scope, payoutId, id);
  const stepUp = earlier === null ? await answerStepUp(call, response) : null;
  return decideOnPayout(call, payoutId, given, { stepUp });
}

/** Approves several payouts with one answer of the caller's passkey, where one is given; each succeeds or fails by itself. */
export async function approveInBulkSigned(
  call: Call,
  payoutIds: readonly string[],
  reasons: DecisionInput['reasons'],
  response: unknown,
): Promise<BulkDecision[]> {
  const given = { status: 'approved', reasons } as const;
  if (response === null || response === undefined) return decideInBulk(call, payoutIds, given);
  return decideInBulk(call, payoutIds, given, () => answerStepUp(call, response));
}
