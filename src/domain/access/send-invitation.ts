import { mailboxKeys } from '../../access/rate-limit/mailbox.ts';
import { inTransaction } from '../../db/pool.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { requireCovers, requireManager } from './authority.ts';
import { lockActing, lockGoverned } from './governance.ts';
import { inviteByMail } from './invitation-store.ts';
import { lockMember, memberNotFound, type Member } from './member-store.ts';

/**
 * Mails a member a one-time link by which they get a key of their own, with their role, in the
 * caller's environment. The link replaces an earlier one. A member who has accepted already gets a
 * further key by it. Throws not_found; forbidden where the caller's role does not cover theirs, and
 * for a sandbox key that would bring in a new member once the business has a production key;
 * unauthorized where the caller's key or session was ended a moment ago; too_many_requests.
 */
export async function sendMemberInvitation(call: Call, id: string): Promise<Member> {
  const { scope, services } = call;
  const actor = requireManager(scope);
  const mailbox = await mailboxKeys(services);
  return inTransaction(services.pool, async (client) => {
    await lockActing(client, scope);
    const member = isId('membership', id) ? await lockMember(client, scope, id) : null;
    if (member === null || member.removedAt !== null) throw memberNotFound();
    requireCovers(actor, member.role);
    // The acceptance makes a member of both environments; a further key is of the caller's alone.
    if (member.acceptedAt === null) await lockGoverned(client, scope, 'its members');
    await inviteByMail(client, services, scope, id, mailbox);
    return member;
  });
}
