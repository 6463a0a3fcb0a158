import { beganSince } from '../../access/session/place.ts';
import { requirePermission, type Scope } from '../../access/scope.ts';
import { sessionLives } from '../../access/session/authenticate.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { inTransaction, platformStatement, rows } from '../../db/pool.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { requireCovers, requireManager } from '../access/authority.ts';
import { recordChange } from '../access/change-store.ts';
import { lockGoverned } from '../access/governance.ts';
import { lockMember, memberNotFound } from '../access/member-store.ts';
import { mostSessions, sessionColumns, type Session, type SessionRow } from './sessions.ts';

const ofMember = platformStatement({
  name: 'sessions_of_member',
  text: `
    SELECT ${sessionColumns}
    FROM membership m JOIN user_session s ON s.membership_id = m.id
    WHERE m.id = $1 AND m.business_id = $3 AND ${sessionLives}
      AND ${beganSince('s', 'm')}
    ORDER BY s.id DESC LIMIT ${mostSessions}`,
});

/**
 * The sessions in which a member is at work for the caller's business, newest first; none for a member of
 * another one. What the same person does elsewhere is not shown. Throws forbidden without access:write.
 */
export async function listMemberSessions(
  { services, scope }: Call,
  membershipId: string,
): Promise<Session[]> {
  requirePermission(scope, 'access:write');
  if (!isId('membership', membershipId)) return [];
  const values = [membershipId, services.config.SESSION_IDLE_MINUTES, scope.businessId];
  return rows<SessionRow>(services.pool, ofMember, values);
}

/**
 * A statement of its own, since it comes after the lock on the member: a session whose making or switch held that
 * lock began before this time, and the next statement sees it.
 */
const bar = platformStatement({
  name: 'bar_sessions_of_member',
  text: `
    UPDATE membership m SET sessions_ended_at = command.clock()
    WHERE m.business_id = $1 AND m.id = $2`,
});

const revoke = namedOfPlatform(
  'revoke_sessions_of_member',
  ['business', 'member', 'environment', 'actor'],
  `
    WITH revoked AS (
      UPDATE user_session s SET revoked_at = now()
      FROM membership m
      WHERE m.business_id = @business AND m.id = @member AND s.membership_id = m.id
        AND s.revoked_at IS NULL AND s.expires_at > now()
      RETURNING s.id
    ),
    recorded AS (
      ${recordChange({
        from: '(SELECT count(*) AS count FROM revoked) r WHERE r.count > 0',
        kind: 'member_sessions_revoked',
        business: '@business',
        environment: '@environment',
        actor: '@actor',
        subject: '@member',
        after: "jsonb_build_object('sessions', r.count)",
      })}
    )
    SELECT id FROM revoked`,
);

/**
 * Ends the sessions in which a member is at work for the caller's business, in both environments: the next
 * request of each finds it ended. Those with which the person works elsewhere do not come over. The member can sign in again; who must not is removed. Returns how many there
 * were. Throws not_found, forbidden where the caller's role does not cover the member's and for a sandbox
 * credential once the business has a production key.
 */
export async function revokeMemberSessions(call: Call, membershipId: string): Promise<number> {
  const { services, scope } = call;
  const actor = requireManager(scope);
  return inTransaction(services.pool, async (client) => {
    await lockGoverned(client, scope, 'the sessions of its members');
    const member = isId('membership', membershipId)
      ? await lockMember(client, scope, membershipId)
      : null;
    if (member === null) throw memberNotFound();
    requireCovers(actor, member.role);
    await rows(client, bar, [scope.businessId, membershipId]);
    return (await rows(client, revoke, valuesOf(scope, membershipId))).length;
  });
}

const valuesOf = ({ businessId, environment, actor }: Scope, member: string) =>
  revoke.of({ business: businessId, member, environment, actor: JSON.stringify(actor) });
