import { Prisma, type Payout, type PayoutDecision } from '../../../generated/prisma/client.ts';
import type { Actor, Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { withTrace } from '../../process/tracing.ts';
import { newId } from '../../values/ids.ts';
import { reviewPayout } from './commands.gen.ts';

export const decisionStatuses = ['approved', 'rejected', 'pending_review'] as const;
export type DecisionStatus = (typeof decisionStatuses)[number];

export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly details: Record<string, unknown>;
}

export interface NewDecision {
  /** ULID, the caller's idempotency key within the payout. */
  readonly decisionId: string;
  readonly requestHash: Buffer;
  readonly status: DecisionStatus;
  readonly reasons: readonly Reason[];
  /** Who evaluated, as the caller claims; the caller itself when it names nobody. */
  readonly evaluatedBy: Record<string, unknown>;
  readonly submittedBy: Actor;
  readonly evaluatedAt: Date | null;
  readonly policyVersion: string | null;
  readonly agentVersion: string | null;
  readonly confidence: number | null;
  /** The signature of a passkey with which it is made. */
  readonly stepUp?: string | null;
  /** What its maker saw of the payout (approval-digests.sql); it approves nothing else. */
  readonly expects?: string | null;
}

/** A decision as record-decision.sql reads it. It gives the decision its id. */
export function wireDecision(decision: NewDecision): object {
  return withTrace({
    id: newId('decision'),
    decision_id: decision.decisionId,
    request_hash: decision.requestHash.toString('hex'),
    status: decision.status,
    reasons: decision.reasons,
    evaluated_by: decision.evaluatedBy,
    submitted_by: decision.submittedBy,
    evaluated_at: decision.evaluatedAt,
    policy_version: decision.policyVersion,
    agent_version: decision.agentVersion,
    confidence: decision.confidence,
    ...(typeof decision.stepUp === 'string' && { step_up: decision.stepUp }),
    ...(typeof decision.expects === 'string' && { expects: decision.expects }),
  });
}

/** Records of a payout that nothing ends, such as pending reviews, at most (review-payout.sql). */
const mostDecisions = 100;

/**
 * Records a pending review of a payout in one of `states`; null for one in another state. Throws a unique
 * violation when the decision's id is taken, and `conflict` for a payout that has 100 decisions, so that an
 * agent that never ends fills no table.
 */
export async function recordReview(
  pool: Queryable,
  scope: Scope,
  states: readonly string[],
  review: NewDecision & { readonly payoutId: string },
): Promise<{ readonly payout: Payout; readonly decision: PayoutDecision } | null> {
  const [found] = await reviewPayout(pool, scope.tenantId, {
    payout: review.payoutId,
    states,
    decision: wireDecision(review),
  });
  if (found === undefined) return null;
  const { payout, decision } = found;
  if (decision === null) {
    throw new DomainError('conflict', {
      message: `The payout has ${mostDecisions} decisions already; approve, reject or cancel it.`,
    });
  }
  return { payout, decision };
}

const decisionById: Statement = {
  name: 'decision_by_decision_id',
  text: `
    SELECT ${columns(Prisma.PayoutDecisionScalarFieldEnum, 'd')}
    FROM payout_decision d WHERE d.tenant_id = $1 AND d.payout_id = $2 AND d.decision_id = $3`,
};

/** The decision that a payout has under the caller's decision id, or null. */
export function findDecision(
  client: Queryable,
  scope: Scope,
  payoutId: string,
  decisionId: string,
): Promise<PayoutDecision | null> {
  return firstRow<PayoutDecision>(client, decisionById, [scope.tenantId, payoutId, decisionId]);
}
