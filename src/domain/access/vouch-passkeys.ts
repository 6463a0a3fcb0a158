import { newHours } from '../../access/passkey/signing.ts';
import { userOf } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { inTransaction, rows } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { requireManager } from './authority.ts';
import { lockGoverned } from './governance.ts';
import { memberNotFound } from './member-store.ts';
import { tellBusiness } from './tell.ts';

const userOfMember = namedOfPlatform(
  'user_of_accepted_member',
  ['business', 'member'],
  `
    SELECT m.user_id AS id FROM membership m
    WHERE m.business_id = @business AND m.id = @member AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL`,
);

const vouch = namedOfPlatform(
  'vouch_for_passkeys',
  ['user', 'hours'],
  `
    UPDATE passkey p SET vouched_at = n.at FROM (SELECT now() AS at) n
    WHERE p.user_id = @user AND p.removed_at IS NULL AND p.vouched_at IS NULL
      AND p.created_at > n.at - make_interval(hours => @hours::integer)
    RETURNING p.id`,
);

/**
 * Lets the passkeys that a member has added within a day sign approvals at once, and gives their number. For an owner, and
 * never for their own: whoever has taken over a session cannot vouch for the passkey that they added. All owners and admins
 * are mailed. Throws forbidden, not_found.
 */
export async function vouchForPasskeys(call: Call, memberId: string): Promise<number> {
  const { scope, services } = call;
  if (requireManager(scope).role !== 'owner') {
    throw new DomainError('forbidden', { message: 'Only an owner vouches for a passkey.' });
  }
  return inTransaction(services.pool, async (client) => {
    await lockGoverned(client, scope, 'its members');
    const member = isId('membership', memberId) ? memberId : null;
    const values = userOfMember.of({ business: scope.businessId, member });
    const [user] = await rows<{ id: string }>(client, userOfMember, values);
    if (user === undefined) throw memberNotFound();
    if (user.id === userOf(scope)) {
      throw new DomainError('forbidden', { message: 'Another owner vouches for your passkey.' });
    }
    const given = vouch.of({ user: user.id, hours: newHours });
    const vouched = await rows<{ id: string }>(client, vouch, given);
    if (vouched.length > 0) {
      await tellBusiness(client, scope, {
        kind: 'passkey_vouched',
        subjectId: memberId,
        before: null,
        after: { passkeys: vouched.map(({ id }) => id) },
      });
    }
    return vouched.length;
  });
}
