import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { storeNewKey } from '../access/create-key.ts';
import { lockMember, type Member } from '../access/member-store.ts';
import { tellOfRecorded } from '../access/tell.ts';
import type { IssuedKey } from '../../access/key.ts';
import { productionKeyOrder, type ProductionKeyOrder } from './input.ts';
import { orderChange, type OperatorChange } from './order-change.ts';

/** Whose the key is: whoever confirms it knows people, not ids. */
const shownMember = ({ email, firstName, lastName, role }: Member) => ({
  email,
  firstName,
  lastName,
  role,
});

/** Makes a production key for the member who registered the business. */
export const productionKey: OperatorChange<IssuedKey> = {
  kind: 'production_key',
  action: 'operatorProductionKeyIssue',
  told: (client, scope, keyId) => tellOfRecorded(client, scope, 'key_created', keyId),
  parse: (given) => {
    const { businessId, membershipId, role, reason } = parseInput(productionKeyOrder, given);
    return {
      businessId,
      reason,
      decides: true,
      apply: async (client, { scope }) => {
        const member = await lockMember(client, scope, membershipId);
        const order = { membershipId, role, name: null };
        const { apiKey, key } = await storeNewKey(client, scope, order);
        return {
          result: { id: apiKey.id, environment: 'production', role, key },
          subjectId: apiKey.id,
          detail: { membership_id: membershipId, role },
          before: null,
          after: { membershipId, role, member: member === null ? null : shownMember(member) },
        };
      },
    };
  },
};

/**
 * Issues a production key to the member who registered the business, with no more rights than their role.
 * The key is only in the answer; repeating the command issues another one. Other members get their keys by
 * `operatorSendMemberInvitation`, so that nobody else ever holds them. Null where it waits for a second operator,
 * who then gets the key. The owners and admins of the business are mailed that it was made.
 * Throws validation_failed, not_found for the business and the member, unprocessable_entity where the
 * member's role is too small or they did not register the business, forbidden before the profile is
 * accepted.
 */
export function issueProductionKey(
  call: OperatorCall,
  given: ProductionKeyOrder,
): Promise<IssuedKey | null> {
  return orderChange(call, productionKey, given);
}
