import type { PoolClient } from 'pg';
import { operatorTenant } from '../../access/operator-scope.ts';
import type { Environment, OperatorScope, Scope } from '../../access/scope.ts';
import { firstRow, type Statement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId } from '../../ids.ts';

/** What an operator can do, by the name of its mutation. */
export type OperatorCommand =
  | 'operatorProfileAccept'
  | 'operatorProductionKeyIssue'
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
}

const insertAction: Statement = {
  name: 'insert_operator_action',
  text: `
    INSERT INTO operator_action (operator_key_id, action, business_id, environment, subject_id, reason, detail)
    VALUES ($1, $2, $3, $4, $5, $6, $7)
    RETURNING id`,
};

/** Records what an operator does, in the transaction of the change: one is not without the other. */
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
