import type { PoolClient } from 'pg';
import { operatorTenant } from '../../access/operator-scope.ts';
import {
  operatorId,
  type Environment,
  type OperatorScope,
  type Scope,
} from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';

/** What an operator can do, by the name of its mutation. */
export type OperatorCommand =
  | 'operatorProfileAccept'
  | 'operatorProfileDecline'
  | 'operatorProductionKeyIssue'
  | 'operatorMemberInvitationSend'
  | 'operatorBalanceReport'
  | 'operatorFundingModeSet'
  | 'operatorFundingRecord'
  | 'operatorBeneficiarySuspend'
  | 'operatorBeneficiaryReinstate'
  | 'operatorBeneficiaryErase'
  | 'operatorPayoutLookUp'
  | 'operatorPayoutResolve'
  | 'operatorPayoutResolutionAnswer'
  | 'operatorBankFileTake'
  | 'operatorBankFileDismiss'
  | 'operatorBankFileReadAgain'
  | 'operatorBankLineMatch'
  | 'operatorBankLineExplain'
  | 'operatorBankAnswerExplain'
  | 'operatorContradictionExamine'
  | 'operatorBankConnect'
  | 'operatorBankConnectionChange'
  | 'operatorProviderConnect'
  | 'operatorProviderConnectionChange'
  | 'operatorRoutesReplace'
  | 'operatorChangeAnswer'
  | 'operatorBankBatchesClose'
  | 'operatorBankBatchDownload'
  | 'operatorBankBatchUploaded'
  | 'operatorBankBatchResolve'
  | 'operatorTaskPause'
  | 'operatorTaskResume'
  | 'operatorJobRetry'
  | 'operatorJobSchedule'
  | 'operatorMailResend'
  | 'operatorDeliveriesReplay';

export interface OperatorActionDraft {
  readonly action: OperatorCommand;
  /** Null for an action that concerns the whole platform. */
  readonly businessId: string | null;
  /** Null for an action that concerns the business in both environments, or none. */
  readonly environment: Environment | null;
  /** Id of what was changed or made. */
  readonly subjectId: string;
  readonly reason: string | null;
  /** Further facts for a reader of the record; no secret and no detail of a payee. */
  readonly detail?: Readonly<Record<string, string | number>>;
  /** The line of ops.action_log, if the command is an order, which has one already. */
  readonly actionId?: string;
}

/** Without an environment there is no single tenant: the line then names only the business, as its subject. */
const insertAction = namedOfPlatform(
  'insert_operator_action',
  ['who', 'action', 'business', 'environment', 'subject', 'reason', 'detail', 'line'],
  `
    WITH logged AS (
      INSERT INTO ops.action_log (who, action, tenant_id, subject_id, reason, detail, affected)
      SELECT @who::text, @action::text,
        (SELECT t.id FROM tenant t WHERE t.business_id = @business AND t.environment = @environment),
        @subject::text, coalesce(@reason::text, ''), @detail::jsonb, 1
      WHERE @line::uuid IS NULL
    )
    INSERT INTO operator_action (operator_key_id, operator_user_id, action, business_id, environment, subject_id, reason, detail)
    VALUES (
      CASE WHEN @who LIKE 'opk%' THEN @who END, CASE WHEN @who LIKE 'opu%' THEN @who END, @action, @business, @environment, @subject, @reason, @detail)
    RETURNING id`,
);

/**
 * Records what an operator does, in the transaction of the change, so that neither exists without the other.
 * Also adds a line to ops.action_log, which has what operators do in SQL too.
 */
export async function recordAction(
  client: PoolClient,
  { operator }: OperatorScope,
  draft: OperatorActionDraft,
): Promise<void> {
  const values = insertAction.of({
    who: operatorId(operator),
    action: draft.action,
    business: draft.businessId,
    environment: draft.environment,
    subject: draft.subjectId,
    reason: draft.reason,
    detail: JSON.stringify(draft.detail ?? {}),
    line: draft.actionId ?? null,
  });
  await firstRow(client, insertAction, values);
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
