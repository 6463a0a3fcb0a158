import { inTransaction } from '../../db/pool.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { storeNewKey } from '../access/create-key.ts';
import type { IssuedKey } from '../../access/key.ts';
import { recordAction, requireTenant } from './action.ts';
import { productionKeyOrder, type ProductionKeyOrder } from './input.ts';

/**
 * Issues a production key to the member who registered the business, with no more rights than their role.
 * The key is only in the answer; repeating the command issues another one. Other members get their keys by
 * `operatorSendMemberInvitation`, so that nobody else ever holds them.
 * Throws validation_failed, not_found for the business and the member, unprocessable_entity where the
 * member's role is too small or they did not register the business, forbidden before the profile is
 * accepted.
 */
export async function issueProductionKey(
  call: OperatorCall,
  given: ProductionKeyOrder,
): Promise<IssuedKey> {
  const { businessId, membershipId, role, reason } = parseInput(productionKeyOrder, given);
  return inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, 'production');
    const { apiKey, key } = await storeNewKey(client, scope, { membershipId, role, name: null });
    await recordAction(client, call.operator, {
      action: 'operatorProductionKeyIssue',
      businessId,
      environment: 'production',
      subjectId: apiKey.id,
      reason,
      detail: { membership_id: membershipId, role },
    });
    return { id: apiKey.id, environment: 'production', role, key };
  });
}
