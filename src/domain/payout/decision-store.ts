import { Prisma, type PayoutDecision } from '../../../generated/prisma/client.ts';
import type { Actor, Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
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
  /** Who evaluated, as the caller claims; the caller itself when it names nobody. */
  readonly evaluatedBy: Record<string, unknown>;
  readonly submittedBy: Actor;
  readonly evaluatedAt: Date | null;
  readonly policyVersion: string | null;
  readonly agentVersion: string | null;
  readonly confidence: number | null;
}

const insertDecision = named(
  'insert_decision',
  [
    'tenant',
    'id',
    'payout',
    'decisionId',
    'requestHash',
    'status',
    'reasons',
    'evaluatedBy',
    'evaluatedAt',
    'policyVersion',
    'agentVersion',
    'confidence',
    'submittedBy',
  ],
  `
    INSERT INTO payout_decision AS d (
      tenant_id, id, payout_id, decision_id, request_hash, status, reasons, evaluated_by, evaluated_at,
      policy_version, agent_version, confidence, submitted_by
    )
    SELECT @tenant, @id, @payout, @decisionId, @requestHash::bytea, @status, @reasons::jsonb, @evaluatedBy::jsonb, coalesce(@evaluatedAt::timestamptz, now()),
      @policyVersion, @agentVersion, @confidence::double precision, @submittedBy::jsonb
    WHERE @status::text <> 'pending_review'
      OR (SELECT count(*) FROM payout_decision e WHERE e.tenant_id = @tenant AND e.payout_id = @payout) < 100
    RETURNING ${columns(Prisma.PayoutDecisionScalarFieldEnum, 'd')}`,
);

/**
 * Records a decision. Throws a unique violation when the decision id is taken. Throws `conflict` for a
 * pending review of a payout that has 100 decisions, so that an agent that never ends fills no table.
 */
export async function recordDecision(
  client: Queryable,
  scope: Scope,
  decision: NewDecision,
): Promise<PayoutDecision> {
  const { payoutId, ...content } = decision;
  const values = insertDecision.of({
    ...content,
    tenant: scope.tenantId,
    id: newId('decision'),
    payout: payoutId,
    reasons: JSON.stringify(decision.reasons),
    evaluatedBy: JSON.stringify(decision.evaluatedBy),
    submittedBy: JSON.stringify(decision.submittedBy),
  });
  const row = await firstRow<PayoutDecision>(client, insertDecision, values);
  if (row === null) {
    throw new DomainError('conflict', {
      message: 'The payout has 100 decisions already; approve, reject or cancel it.',
    });
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
