import { Prisma, type Payout, type PayoutDecision } from '../../../generated/prisma/client.ts';
import type { Actor, Scope } from '../../access/scope.ts';
import { columnName, columns } from '../../db/columns.ts';
import { command } from '../../db/command.ts';
import { firstRow, type Queryable, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { withTrace } from '../../process/tracing.ts';
import { newId } from '../../values/ids.ts';
import { decisionInsert } from './decision-sql.ts';

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
}

/** A decision in JSON, as `decisionInsert` reads it. It gives the decision its id. */
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
  });
}

const prefix = 'decision ';

/** The columns of the composite `decision` in a command's result, beside those of a payout. */
export const decisionColumns = Object.values(Prisma.PayoutDecisionScalarFieldEnum)
  .map((field) => `(r.decision).${columnName(field)} AS "${prefix}${field}"`)
  .join(', ');

/** A row with `decisionColumns`: those of the decision, all null where there is none, and the others. */
export type DecisionRow = Readonly<Record<`${typeof prefix}${keyof PayoutDecision}`, unknown>>;

/** Takes a row with `decisionColumns` apart. */
export function decisionOf<Row extends DecisionRow>(
  row: Row,
): { readonly row: Omit<Row, keyof DecisionRow>; readonly decision: PayoutDecision | null } {
  const isOfDecision = ([name]: [string, unknown]) => name.startsWith(prefix);
  const [own, others] = [true, false].map((wanted) =>
    Object.entries(row).filter((entry) => isOfDecision(entry) === wanted),
  );
  const found = own?.map(([name, value]) => [name.slice(prefix.length), value] as const) ?? [];
  // The names are those of the model by `decisionColumns`, and the others are those that were left.
  return {
    row: Object.fromEntries(others ?? []) as Omit<Row, keyof DecisionRow>,
    decision:
      row[`${prefix}id`] === null ? null : (Object.fromEntries(found) as unknown as PayoutDecision),
  };
}

/** Records of a payout that nothing ends, such as pending reviews, at most. */
const mostDecisions = 100;

export const reviewPayout = command({
  name: 'review_payout',
  comment: `Records a decision that moves nothing (src/domain/payout/decision-store.ts). No row for a payout in
-- another state; no decision in it when the payout has too many.`,
  parameters: { tenant: 'text', payout: 'text', states: 'text[]', decision: 'jsonb' },
  returns: 'TABLE (payout public.payout, decision public.payout_decision)',
  select: `${columns(Prisma.PayoutScalarFieldEnum, '(r.payout)')}, ${decisionColumns}`,
  declare: `
  at timestamptz := now();
  known bigint;`,
  body: `
  SELECT p.* INTO payout FROM public.payout p WHERE p.tenant_id = _tenant AND p.id = _payout FOR SHARE;
  IF NOT FOUND OR payout.state <> ALL (_states) THEN
    RETURN;
  END IF;
  SELECT count(*) INTO known FROM public.payout_decision e
  WHERE e.tenant_id = _tenant AND e.payout_id = _payout;
  IF known < ${mostDecisions} THEN
    ${decisionInsert({ json: '_decision', payout: '_payout', at: 'at' })}
    RETURNING d.* INTO decision;
  END IF;
  RETURN NEXT;`,
});

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
  const values = reviewPayout.of({
    tenant: scope.tenantId,
    payout: review.payoutId,
    states,
    decision: JSON.stringify(wireDecision(review)),
  });
  const found = await firstRow<Payout & DecisionRow>(pool, reviewPayout, values);
  if (found === null) return null;
  const { row: payout, decision } = decisionOf(found);
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
