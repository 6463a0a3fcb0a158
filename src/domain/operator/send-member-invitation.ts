import { mailboxKeys } from '../../access/rate-limit/mailbox.ts';
import type { Role } from '../../access/roles.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { OperatorCall } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { lockBusiness } from '../access/governance.ts';
import { inviteByMail } from '../access/invitation-store.ts';
import { readKeyFacts } from '../access/key-store.ts';
import { lockMember, memberNotFound, type Member } from '../access/member-store.ts';
import { tellOfRecorded } from '../access/tell.ts';
import { memberInvitationOrder, type MemberInvitationOrder } from './input.ts';
import { orderChange, type OperatorChange } from './order-change.ts';

/** The role decides what the key may do, and until there is a production key the sandbox changes it. */
function requireRole({ role }: Member, agreed: Role | undefined): void {
  if (agreed === undefined || role === agreed) return;
  throw new DomainError('conflict', {
    message: `The member's role was changed since: it is ${role}, not ${agreed}.`,
  });
}

/** Sends a member a link to a production key of their own. */
export const memberInvitation: OperatorChange<Member> = {
  kind: 'member_invitation',
  action: 'operatorMemberInvitationSend',
  told: (client, scope, memberId) =>
    tellOfRecorded(client, scope, 'member_invitation_sent', memberId),
  parse: (given) => {
    const { businessId, membershipId, role, reason } = parseInput(memberInvitationOrder, given);
    return {
      businessId,
      reason,
      decides: true,
      apply: async (client, { scope, services }) => {
        await lockBusiness(client, scope);
        const known = isId('membership', membershipId);
        const member = known ? await lockMember(client, scope, membershipId) : null;
        if (member === null || member.removedAt !== null) throw memberNotFound();
        requireRole(member, role);
        const { profileStatus } = await readKeyFacts(client, scope, membershipId);
        if (profileStatus !== 'accepted') {
          throw new DomainError('forbidden', {
            message: `A production key needs an accepted business profile; it is ${profileStatus}.`,
          });
        }
        await inviteByMail(client, services, scope, membershipId, await mailboxKeys(services));
        return {
          result: member,
          subjectId: membershipId,
          detail: { role: member.role },
          before: { accepted: member.acceptedAt !== null },
          after: { membershipId, role: member.role, link: 'mailed' },
          relied: { role: member.role },
        };
      },
    };
  },
};

/**
 * Sends a member a one-time link by which they get a production key of their own, with their role, so that
 * nobody else sees the key. Null where it waits for a second operator; the role that the first one saw is the
 * one that the member must have then. The owners and admins of the business are mailed that it was sent.
 * Throws validation_failed, not_found for the business and the
 * member, forbidden before the profile is accepted, too_many_requests.
 */
export async function operatorSendMemberInvitation(
  call: OperatorCall,
  { businessId, membershipId, reason }: MemberInvitationOrder,
): Promise<Member | null> {
  // Reads the key of the hashes before the transaction begins.
  await mailboxKeys(call.services);
  return orderChange(call, memberInvitation, { businessId, membershipId, reason });
}
