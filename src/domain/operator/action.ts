import type { PoolClient } from 'pg';
import { operatorTenant } from '../../access/operator-scope.ts';
import type { Environment, OperatorScope, Scope } from '../../access/scope.ts';
import { firstRow, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';

/** What an operator can do, by the name of its mutation. */
export type OperatorCommand =
  | 'operatorProfileAccept'
  | 'operatorProductionKeyIssue'
  | 'operatorMemberInvitationSend'
  | 'operatorBalanceReport'
  | 'operatorBeneficiarySuspend'
  | 'operatorBeneficiaryReinstate'
  | 'operatorPayoutLookUp'
  | 'operatorPayoutResolve'
  | 'operatorContradictionExamine';

export interface OperatorActionDraft {
  readonly action: OperatorCommand;
  readonly businessId: string;
  /** Null for what concerns the business in both environments. */
  readonly environment: Environment | null;
  /** Id of what was changed or made. */
  readonly subjectId: string;
  readonly reason: string | null;
  /** What else a reader of the record has to know; no secret and no detail of a payee. */
  readonly detail?: Readonly<Record<string, string | number>>;
  /** The line of ops.action_log, where the command is an order that has one already. */
  readonly actionId?: string;
}

/** Without an environment there is no one tenant: the line then names the business as its subject alone. */
const insertAction: Statement = {
  name: 'insert_operator_action',
  text: `
    WITH logged AS (
      INSERT INTO ops.action_log (who, action, tenant_id, subject_id, reason, detail, affected)
      SELECT $1::text, $2::text,
        (SELECT t.id FROM tenant t WHERE t.business_id = $3 AND t.environment = $4),
        $5::text, coalesce($6::text, ''), $7::jsonb, 1
      WHERE $8::uuid IS NULL
    )
    INSERT INTO operator_action (operator_key_id, action, business_id, environment, subject_id, reason, detail)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    RETURNING id`,
};

/**
 * Records what an operator does, in the transaction of the change: one is not without the other. It is
 * a line of ops.action_log as well, beside what operators do in SQL.
 */
export async function recordAction(
  client: PoolClient,
  { operator }: OperatorScope,
  draft: OperatorActionDraft,
): Promise<void> {
  await firstRow(client, insertAction, [
    operator.key_id,
    draft.action,
    draft.businessId,
    draft.environment,
    draft.subjectId,
    draft.reason,
    JSON.stringify(draft.detail ?? {}),
    draft.actionId ?? null,
  ]);
}

export function businessNotFound(): DomainError {
  return new DomainError('not_found', { message: 'The business does not exist.' });
}

/** The scope of one tenant of a business, with the operator as its actor. Throws not_found. */
export async function requireTenant(
  client: PoolClient,
  operator: OperatorScope,
  businessId: string,
  environment: Environment,
): Promise<Scope> {
  const scope = isId('business', businessId)
    ? await operatorTenant(client, operator, businessId, environment)
    : null;
  if (scope === null) throw businessNotFound();
  return scope;
}
