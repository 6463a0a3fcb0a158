import { mailboxKeys } from '../../access/rate-limit/mailbox.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { lockBusiness } from '../access/governance.ts';
import { inviteByMail } from '../access/invitation-store.ts';
import { readKeyFacts } from '../access/key-store.ts';
import { lockMember, memberNotFound, type Member } from '../access/member-store.ts';
import { recordAction, requireTenant } from './action.ts';
import { memberInvitationOrder, type MemberInvitationOrder } from './input.ts';

/**
 * Sends a member a one-time link by which they get a production key of their own, with their role, so that
 * nobody else sees the key. Throws validation_failed, not_found for the business and the
 * member, forbidden before the profile is accepted, too_many_requests.
 */
export async function operatorSendMemberInvitation(
  call: OperatorCall,
  given: MemberInvitationOrder,
): Promise<Member> {
  const { businessId, membershipId, reason } = parseInput(memberInvitationOrder, given);
  const mailbox = await mailboxKeys(call.services);
  return inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, 'production');
    await lockBusiness(client, scope);
    const known = isId('membership', membershipId);
    const member = known ? await lockMember(client, scope, membershipId) : null;
    if (member === null || member.removedAt !== null) throw memberNotFound();
    const { profileStatus } = await readKeyFacts(client, scope, membershipId);
    if (profileStatus !== 'accepted') {
      throw new DomainError('forbidden', {
        message: `A production key needs an accepted business profile; it is ${profileStatus}.`,
      });
    }
    await recordAction(client, call.operator, {
      action: 'operatorMemberInvitationSend',
      businessId,
      environment: 'production',
      subjectId: membershipId,
      reason,
      detail: { role: member.role },
    });
    await inviteByMail(client, call.services, scope, membershipId, mailbox);
    return member;
  });
}
