import type { Payout, PayoutDecision } from '../../../generated/prisma/client.ts';
import { requirePermission, userOf, type Actor } from '../../access/scope.ts';
import { crashPoint } from '../../process/crash-point.ts';
import { contentHash } from '../../crypto/canonical.ts';
import { violatesUnique } from '../../db/errors.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { approvalObstacle } from './approval-obstacle.ts';
import {
  decisionInput,
  requireModest,
  type DecisionInput,
  type ParsedDecision,
} from './decision-input.ts';
import {
  findDecision,
  recordReview,
  type DecisionStatus,
  type NewDecision,
  type Reason,
} from './decision-store.ts';
import { statesBefore, type PayoutState } from './machine.ts';
import { readPayout, requirePayoutId } from './read.ts';
import { moveWithDecision } from './transition.ts';

/** With what a decision is made. */
export interface Grounds {
  /** The signature that decide-signed.ts verified. */
  readonly stepUp?: string | null;
  /** What its maker saw of the payout; an approval of anything else is refused with conflict. */
  readonly expects?: string | null;
}

export interface Decided {
  readonly payout: Payout;
  readonly decision: PayoutDecision;
  readonly replayed: boolean;
}

const reasonCodes: Record<DecisionStatus, string> = {
  approved: 'MANUAL_APPROVAL',
  rejected: 'MANUAL_REJECTION',
  pending_review: 'PENDING_REVIEW',
};

/**
 * Records a decision on a payout and moves the payout accordingly. Approve, reject and the decisions
 * endpoint are all this command. It is idempotent on `decisionId` within the payout. A
 * `pending_review` is recorded and moves nothing. Throws validation_failed, PAYOUT_NOT_FOUND,
 * REJECTION_REASON_REQUIRED, INVALID_STATE_TRANSITION, IDEMPOTENCY_KEY_REUSED; forbidden, also for the
 * creator of a payout that somebody else has to approve; BANK_ACCOUNT_CHANGED when the account changed after
 * the creation; conflict for too many pending reviews; PREDECESSOR_NOT_REPLACEABLE while it is examined
 * whether the payout that this one replaces was paid after all; FUNDING_INSUFFICIENT when an approval needs
 * more than is available; STEP_UP_REQUIRED when it takes the signature of a passkey.
 */
export async function decideOnPayout(
  call: Call,
  payoutId: string,
  given: DecisionInput,
  { stepUp = null, expects = null }: Grounds = {},
): Promise<Decided> {
  requirePermission(call.scope, 'payouts:decide');
  const input = parseInput(decisionInput, given);
  requireModest(input, call.services.config.DECISION_MAX_BYTES);
  if (input.status === 'rejected' && input.reasons.length === 0) {
    throw new DomainError('REJECTION_REASON_REQUIRED');
  }
  requirePayoutId(payoutId);
  const decision = { ...toDecision(call.scope.actor, payoutId, input), stepUp, expects };
  try {
    crashPoint('decide_before_commit');
    const decided = await decide(call, decision);
    crashPoint('decide_after_commit');
    if (decided !== null) return { ...decided, replayed: false };
  } catch (error) {
    if (!violatesUnique(error, 'payout_decision_tenant_id_payout_id_decision_id_key')) throw error;
  }
  return replayOrRefuse(call, decision);
}

/** A decision and the payout that it is about. */
type PayoutDecisionDraft = NewDecision & { readonly payoutId: string };

function toDecision(actor: Actor, payoutId: string, input: ParsedDecision): PayoutDecisionDraft {
  const reasons: Reason[] = input.reasons.map((reason) => ({
    code: reason.code ?? reasonCodes[input.status],
    message: reason.message,
    details: reason.details ?? {},
  }));
  if (reasons.length === 0 && input.status === 'approved') {
    reasons.push({ code: 'MANUAL_APPROVAL', message: 'Approved by the caller.', details: {} });
  }
  return {
    payoutId,
    decisionId: input.decisionId,
    requestHash: contentHash(input),
    status: input.status,
    reasons,
    evaluatedBy: input.evaluatedBy ?? { ...actor },
    submittedBy: actor,
    evaluatedAt: input.evaluatedAt === null ? null : new Date(input.evaluatedAt),
    policyVersion: input.policyVersion,
    agentVersion: input.agentVersion,
    confidence: input.confidence,
  };
}

/** The move, the decision and the disbursement job in one command; null when the payout was not moved. */
async function decide(
  { scope, services }: Call,
  decision: PayoutDecisionDraft,
): Promise<Omit<Decided, 'replayed'> | null> {
  if (decision.status === 'pending_review') {
    return recordReview(services.pool, scope, reviewable, decision);
  }
  const approves = decision.status === 'approved';
  const how = {
    trigger: approves ? 'approve' : 'reject',
    reason: decision.reasons.map((reason) => reason.message).join('; '),
    approver: approves ? userOf(scope) : null,
  } as const;
  const moved = await moveWithDecision(services.pool, scope, decision.payoutId, how, decision);
  if (moved === null) return null;
  if (moved.decision === null) throw new Error('a payout was moved without its decision');
  return { payout: moved.payout, decision: moved.decision };
}

const participle: Record<DecisionStatus, string> = {
  approved: 'approved',
  rejected: 'rejected',
  pending_review: 'put under review',
};

/** The states in which a review can be pending: those that wait for a decision. */
const reviewable: readonly PayoutState[] = statesBefore('reject');

/**
 * Finds out why a decision moved nothing. Gives the earlier decision when it is the same, and throws
 * otherwise: a reused id, an obstacle to the approval, or a state that does not permit the move.
 */
async function replayOrRefuse(call: Call, decision: PayoutDecisionDraft): Promise<Decided> {
  const { scope, services } = call;
  const payout = await readPayout(call, decision.payoutId);
  const earlier = await findDecision(services.pool, scope, payout.id, decision.decisionId);
  if (earlier !== null) {
    if (!decision.requestHash.equals(earlier.requestHash)) {
      throw new DomainError('IDEMPOTENCY_KEY_REUSED');
    }
    return { payout, decision: earlier, replayed: true };
  }
  if (decision.status === 'approved') {
    const obstacle = await approvalObstacle(call, payout, decision);
    if (obstacle !== null) throw obstacle;
  }
  throw new DomainError('INVALID_STATE_TRANSITION', {
    message: `A payout that is ${payout.state} cannot be ${participle[decision.status]}.`,
  });
}
