import { Prisma, type PayoutDecision } from '../../../generated/prisma/client.ts';
import type { Actor, Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { newId } from '../../values/ids.ts';

export const decisionStatuses = ['approved', 'rejected', 'pending_review'] as const;
export type DecisionStatus = (typeof decisionStatuses)[number];

export interface Reason {
  readonly code: string;
  readonly message: string;
  readonly details: Record<string, unknown>;
}

export interface NewDecision {
  readonly payoutId: string;
  /** ULID, the caller's idempotency key within the payout. */
  readonly decisionId: string;
  readonly requestHash: Buffer;
  readonly status: DecisionStatus;
  readonly reasons: readonly Reason[];
  /** Whom the caller names, the caller itself where it names nobody: a claim. */
  readonly evaluatedBy: Record<string, unknown>;
  readonly submittedBy: Actor;
  readonly evaluatedAt: Date | null;
  readonly policyVersion: string | null;
  readonly agentVersion: string | null;
  readonly confidence: number | null;
}

const insertDecision: Statement = {
  name: 'insert_decision',
  text: `
    INSERT INTO payout_decision AS d (
      tenant_id, id, payout_id, decision_id, request_hash, status, reasons, evaluated_by, evaluated_at,
      policy_version, agent_version, confidence, submitted_by
    )
    SELECT $1, $2, $3, $4, $5::bytea, $6, $7::jsonb, $8::jsonb, coalesce($9::timestamptz, now()),
      $10, $11, $12::double precision, $13::jsonb
    WHERE $6::text <> 'pending_review'
      OR (SELECT count(*) FROM payout_decision e WHERE e.tenant_id = $1 AND e.payout_id = $3) < 100
    RETURNING ${columns(Prisma.PayoutDecisionScalarFieldEnum, 'd')}`,
};

/**
 * Records a decision. Throws a unique violation when the decision id is taken, and `conflict` for the
 * hundred and first of a payout that moves nothing: an agent that never ends fills no table.
 */
export async function recordDecision(
  client: Queryable,
  scope: Scope,
  decision: NewDecision,
): Promise<PayoutDecision> {
  const row = await firstRow<PayoutDecision>(client, insertDecision, [
    scope.tenantId,
    newId('decision'),
    decision.payoutId,
    decision.decisionId,
    decision.requestHash,
    decision.status,
    JSON.stringify(decision.reasons),
    JSON.stringify(decision.evaluatedBy),
    decision.evaluatedAt,
    decision.policyVersion,
    decision.agentVersion,
    decision.confidence,
    JSON.stringify(decision.submittedBy),
  ]);
  if (row === null) {
    throw new DomainError('conflict', { message: 'The payout has 100 decisions already.' });
  }
  return row;
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
