import { operatorId } from '../../access/scope.ts';
import { inTransaction, firstRow, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { recordAction, requireTenant } from './action.ts';
import type { Finding } from './findings.ts';
import { examination, type Examination } from './input.ts';
import { recordOrder } from './payout-order.ts';

const contradictionById: Statement = {
  name: 'contradiction_of_operator_command',
  text: `
    SELECT c.subject_id AS "subjectId", c.payout_id AS "payoutId", c.kind
    FROM provider_contradiction c WHERE c.tenant_id = $1 AND c.id = $2::uuid`,
};

const noteFinding: Statement = {
  name: 'note_finding',
  text: 'SELECT ops.note_finding($1, $2::uuid, $3, $4::uuid) AS noted',
};

const stillOpen: Statement = {
  name: 'open_contradictions',
  text: `
    SELECT count(*)::integer AS open FROM provider_contradiction c
    WHERE c.tenant_id = $1 AND c.subject_id = $2 AND c.finding IS NULL`,
};

export interface Examined {
  readonly contradictionId: string;
  /** Null for the contradiction of an enrollment. */
  readonly payoutId: string | null;
  readonly finding: Finding;
  /** Line of ops.action_log. */
  readonly actionId: string;
  /** How many other contradictions of the same attempt or enrollment are open. */
  readonly leftOpen: number;
}

/**
 * Records the finding for a contradiction of a provider. It moves no payout and cannot be changed later.
 * Throws validation_failed, not_found for the business and the contradiction, conflict if it was examined
 * before.
 */
export async function operatorExamineContradiction(
  call: OperatorCall,
  given: Examination,
): Promise<Examined> {
  const input = parseInput(examination, given);
  const { businessId, environment, contradictionId, finding, evidence, reason } = input;
  return inTransaction(call.services.pool, async (client) => {
    const { tenantId } = await requireTenant(client, call.operator, businessId, environment);
    const found = await firstRow<{ subjectId: string; payoutId: string | null; kind: string }>(
      client,
      contradictionById,
      [tenantId, contradictionId],
    );
    if (found === null) {
      throw new DomainError('not_found', { message: 'The contradiction does not exist.' });
    }
    const { payoutId, subjectId, kind } = found;
    const detail = { contradiction: contradictionId, kind, finding, evidence };
    const subject = payoutId ?? subjectId;
    const actionId = await recordOrder(client, {
      action: 'examine_contradiction',
      who: operatorId(call.operator.operator),
      tenantId,
      payoutId: subject,
      reason,
      detail,
    });
    const values = [tenantId, contradictionId, finding, actionId] as const;
    const { noted } = (await firstRow<{ noted: boolean }>(client, noteFinding, values)) ?? {};
    if (noted !== true) {
      throw new DomainError('conflict', {
        message: 'The contradiction was examined before, and a finding cannot be changed.',
      });
    }
    await recordAction(client, call.operator, {
      action: 'operatorContradictionExamine',
      businessId,
      environment,
      subjectId: subject,
      reason,
      detail: { ...detail, action_id: actionId },
      actionId,
    });
    const rest = await firstRow<{ open: number }>(client, stillOpen, [tenantId, subjectId]);
    return { contradictionId, payoutId, finding, actionId, leftOpen: rest?.open ?? 0 };
  });
}
