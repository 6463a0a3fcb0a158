import { inTransaction } from '../../db/pool.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { erase, type Erasure } from '../personal/erase.ts';
import { recordAction, requireTenant } from './action.ts';
import { erasureOrder, type ErasureOrder } from './input.ts';

/**
 * Erases a payee by an operator's order, as its owner could (`eraseBeneficiary`). The operator's reason is
 * recorded too; it must not name the payee. A repetition returns the first record. Throws validation_failed,
 * not_found for the business and the beneficiary, BENEFICIARY_NOT_ERASABLE.
 */
export function operatorErase(call: OperatorCall, given: ErasureOrder): Promise<Erasure> {
  const { businessId, environment, beneficiaryId, reason, ground } = parseInput(
    erasureOrder,
    given,
  );
  return inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, environment);
    const erasure = await erase(client, scope, beneficiaryId, ground);
    await recordAction(client, call.operator, {
      action: 'operatorBeneficiaryErase',
      businessId,
      environment,
      subjectId: beneficiaryId,
      reason,
      detail: { ground, kind: erasure.kind },
    });
    return erasure;
  });
}
