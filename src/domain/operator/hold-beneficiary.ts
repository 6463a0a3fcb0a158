import type { PoolClient } from 'pg';
import type { Beneficiary } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError, notFound } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { lockBeneficiary } from '../beneficiary/store.ts';
import { reinstateBeneficiary, suspendBeneficiary } from '../beneficiary/suspend.ts';
import { recordAction, requireTenant, type OperatorCommand } from './action.ts';
import { complianceHold, type ComplianceHold } from './input.ts';

type Change = (
  client: PoolClient,
  scope: Scope,
  id: string,
  reason: string,
) => Promise<Beneficiary | null>;

async function change(
  call: OperatorCall,
  given: ComplianceHold,
  action: OperatorCommand,
  apply: Change,
): Promise<Beneficiary> {
  const input = parseInput(complianceHold, given);
  const { businessId, environment, beneficiaryId, reason } = input;
  return inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, environment);
    if (!isId('beneficiary', beneficiaryId)) throw notFound('beneficiary');
    const changed = await apply(client, scope, beneficiaryId, reason);
    if (changed === null) {
      const current = await lockBeneficiary(client, scope, beneficiaryId);
      if (current === null) throw notFound('beneficiary');
      // Not answered as a replay: an operator must know that the suspension was made by somebody else.
      throw new DomainError('conflict', {
        message: `The beneficiary is ${current.complianceStatus} already.`,
      });
    }
    await recordAction(client, call.operator, {
      action,
      businessId,
      environment,
      subjectId: beneficiaryId,
      reason,
    });
    return changed;
  });
}

/**
 * Suspends a beneficiary, who is not paid until an operator lifts the suspension. Throws validation_failed,
 * not_found for the business and the beneficiary, conflict if it is suspended already.
 */
export function operatorSuspend(call: OperatorCall, given: ComplianceHold): Promise<Beneficiary> {
  return change(call, given, 'operatorBeneficiarySuspend', suspendBeneficiary);
}

/**
 * Lifts a suspension, whoever made it: the status is again what it was before, `compliant` or `pending`.
 * Throws validation_failed, not_found for the business and the beneficiary, conflict if it is not suspended.
 */
export function operatorReinstate(call: OperatorCall, given: ComplianceHold): Promise<Beneficiary> {
  return change(call, given, 'operatorBeneficiaryReinstate', reinstateBeneficiary);
}
