import { beganSince, opensTenant } from '../../access/session/place.ts';
import { sessionLives } from '../../access/session/authenticate.ts';
import type { SignedInBy } from '../../access/session/open.ts';
import type { Environment } from '../../access/scope.ts';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, platformStatement, rows } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { SignedInCall } from './caller.ts';

/** A session, for its person and for those who manage the members of a business. */
export interface Session {
  readonly id: string;
  /** Null for an operator's. */
  readonly businessId: string | null;
  readonly environment: Environment | null;
  readonly signedInBy: SignedInBy;
  readonly userAgent: string | null;
  readonly network: string | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  /** When it ends if nobody uses it. */
  readonly idleAt: Date;
  readonly expiresAt: Date;
}

export type SessionRow = Session & Record<string, unknown>;

/** Needs the aliases s (user_session) and m (membership). `$2` is SESSION_IDLE_MINUTES. */
export const sessionColumns = `
  s.id, m.business_id AS "businessId", s.environment, s.signed_in_by AS "signedInBy",
  s.user_agent AS "userAgent", s.network, s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt",
  least(s.expires_at, s.last_seen_at + make_interval(mins => $2::integer)) AS "idleAt",
  s.expires_at AS "expiresAt"`;

/** Sessions that a list shows at most; nobody has as many browsers. */
export const mostSessions = 100;

const ofPerson = platformStatement({
  name: 'sessions_of_person',
  text: `
    SELECT ${sessionColumns}
    FROM user_session s LEFT JOIN membership m ON m.id = s.membership_id
    WHERE coalesce(s.user_id, s.operator_user_id) = $1
      AND (s.user_id = $1 OR s.operator_user_id = $1) AND ${sessionLives}
      AND ($3::text IS NULL OR s.id = $3)
    ORDER BY s.id DESC LIMIT ${mostSessions}`,
});

const idOf = ({ person }: SignedInCall): string =>
  person.kind === 'member' ? person.userId : person.operatorUserId;

/** The sessions of the person that have not ended, newest first. */
export function listSessions(call: SignedInCall): Promise<Session[]> {
  const { pool, config } = call.services;
  const values = [idOf(call), config.SESSION_IDLE_MINUTES, null];
  return rows<SessionRow>(pool, ofPerson, values);
}

/** The session of the request. Throws unauthorized where it has ended since. */
export async function currentSession(call: SignedInCall): Promise<Session> {
  const { pool, config } = call.services;
  const values = [idOf(call), config.SESSION_IDLE_MINUTES, call.person.sessionId];
  const session = await firstRow<SessionRow>(pool, ofPerson, values);
  if (session === null) throw new DomainError('unauthorized');
  return session;
}

const revoke = platformStatement({
  name: 'revoke_session_of_person',
  text: `
    UPDATE user_session s SET revoked_at = now()
    WHERE s.id = $1 AND (s.user_id = $2 OR s.operator_user_id = $2) AND s.revoked_at IS NULL`,
});

const sessionExists = platformStatement({
  name: 'session_of_person_exists',
  text: `
    SELECT 1 AS found FROM user_session s
    WHERE s.id = $1 AND (s.user_id = $2 OR s.operator_user_id = $2)`,
});

/**
 * Ends one of the person's sessions, which may be the one of the request; the next request on any process finds
 * it ended. Repeating it changes nothing. Throws not_found for a session of somebody else.
 */
export async function revokeSession(call: SignedInCall, id: string): Promise<string> {
  const { pool } = call.services;
  const known = isId('session', id) ? [id, idOf(call)] : null;
  if (known !== null) await rows(pool, revoke, known);
  if (known === null || (await firstRow(pool, sessionExists, known)) === null) {
    throw new DomainError('not_found', { message: 'The session does not exist.' });
  }
  return id;
}

/**
 * Locks the person's sessions in the order of their ids, so that two sessions that end each other at the same time wait
 * for one another: the first stays, and the second finds that it has ended and ends nothing. One that only went
 * without use for too long is ended too, since a longer SESSION_IDLE_MINUTES would bring it back; it is not counted.
 */
const revokeOthers = namedOfPlatform(
  'revoke_other_sessions_of_person',
  ['session', 'person', 'idle'],
  `
    WITH open AS (
      SELECT s.id FROM user_session s
      WHERE (s.user_id = @person OR s.operator_user_id = @person)
        AND s.revoked_at IS NULL AND s.expires_at > now()
      ORDER BY s.id
      FOR UPDATE
    )
    UPDATE user_session s SET revoked_at = now()
    FROM open o
    WHERE s.id = o.id AND s.id <> @session AND EXISTS (SELECT 1 FROM open own WHERE own.id = @session)
    RETURNING s.last_seen_at > now() - make_interval(mins => @idle::integer) AS lived`,
);

/**
 * Ends all sessions of the person but the one of the request, in all their businesses; the next request of each, on
 * any process, finds it ended. Returns how many there were. Throws unauthorized where the session of the request has
 * ended since.
 */
export async function revokeOtherSessions(call: SignedInCall): Promise<number> {
  const { pool, config } = call.services;
  const values = revokeOthers.of({
    session: call.person.sessionId,
    person: idOf(call),
    idle: config.SESSION_IDLE_MINUTES,
  });
  const ended = await rows<{ lived: boolean }>(pool, revokeOthers, values);
  if (ended.length === 0) await currentSession(call);
  return ended.filter(({ lived }) => lived).length;
}

/**
 * The lock on the member makes whoever removes them, or ends their sessions, wait for the switch and then find the
 * session in its new place. A switch that waits for them finds what they did to the member.
 */
const switchTo = namedOfPlatform(
  'switch_user_session',
  ['session', 'user', 'business', 'environment'],
  `
    WITH place AS (
      SELECT m.id, t.environment
      FROM membership m
      JOIN user_session own ON own.user_id = m.user_id
      JOIN app_user u ON u.id = m.user_id
      JOIN business b ON b.id = m.business_id
      JOIN tenant t ON t.business_id = b.id
      WHERE own.id = @session AND m.user_id = @user AND m.business_id = @business
        AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL AND ${beganSince('own', 'm')}
        AND t.environment = @environment
        AND ${opensTenant({ tenant: 't', business: 'b', membership: 'm', user: 'u' })}
      FOR SHARE OF m
    )
    UPDATE user_session s SET membership_id = p.id, environment = p.environment
    FROM place p
    WHERE s.id = @session AND s.user_id = @user AND s.revoked_at IS NULL AND s.expires_at > now()
    RETURNING s.id`,
);

const membershipOf = platformStatement({
  name: 'membership_of_session',
  text: `
    SELECT ${beganSince('s', 'm')} AS "beganSince"
    FROM membership m JOIN user_session s ON s.user_id = m.user_id
    WHERE s.id = $1 AND m.business_id = $2 AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL`,
});

/**
 * Lets the session work in another environment or business from the next request on, in every tab of the
 * browser. Throws not_found where the person is no member, forbidden where it is not open to them, or to a session
 * that began before their sessions there were ended.
 */
export async function switchSession(
  call: SignedInCall,
  to: { readonly businessId: string; readonly environment: Environment },
): Promise<void> {
  const { person, services } = call;
  const done =
    person.kind === 'member' && isId('business', to.businessId)
      ? await firstRow(
          services.pool,
          switchTo,
          switchTo.of({
            session: person.sessionId,
            user: person.userId,
            business: to.businessId,
            environment: to.environment,
          }),
        )
      : null;
  if (done !== null) return;
  const member = await firstRow<{ beganSince: boolean }>(services.pool, membershipOf, [
    person.sessionId,
    to.businessId,
  ]);
  if (member === null) {
    throw new DomainError('not_found', { message: 'You are no member of such a business.' });
  }
  if (!member.beganSince) {
    throw new DomainError('forbidden', {
      message:
        'This business ended your sessions after this one began. Sign out and sign in again to work there.',
    });
  }
  throw new DomainError('forbidden', {
    message:
      'The session cannot work there. Production opens once an operator has accepted the profile and issued its first key, to the member who registered the business and to those who were invited in production.',
  });
}
