import type { PoolClient } from 'pg';
import { namedOfPlatform } from '../../db/named.ts';
import { firstRow, platformStatement } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { networkOf } from '../../net/client-address.ts';
import type { Config } from '../../process/config.ts';
import { newId } from '../../values/ids.ts';
import { makeLinkToken } from '../collection-link.ts';
import { proveBySigningIn } from '../registration/prove.ts';
import type { Role } from '../roles.ts';
import type { Environment } from '../scope.ts';
import { opensTenant } from './place.ts';

/** Who signs in: a member of businesses, or one who runs the platform. */
export type Person = { readonly userId: string } | { readonly operatorUserId: string };

/** How a person proved who they are. */
export type SignedInBy = 'link' | 'invitation' | 'passkey' | 'oidc';

/** The browser in which a person signs in, for the list that they see of their sessions. */
export interface Browser {
  readonly clientAddress: string;
  readonly userAgent: string | null;
}

/** A session at the one moment when its token is known. */
export interface OpenedSession {
  readonly id: string;
  readonly token: string;
  readonly expiresAt: Date;
}

/**
 * Where a person's new session works: where they worked last, else in production where it is open to them,
 * else in the business whose member they are longest. The lock keeps the member from being removed until the
 * session is there, since a removal ends the sessions that it finds.
 */
const firstPlace = platformStatement({
  name: 'first_place_of_session',
  text: `
    SELECT m.id AS "membershipId", t.environment
    FROM membership m
    JOIN app_user u ON u.id = m.user_id
    JOIN business b ON b.id = m.business_id
    JOIN tenant t ON t.business_id = b.id
    LEFT JOIN LATERAL (
      SELECT max(s.last_seen_at) AS at FROM user_session s
      WHERE s.user_id = m.user_id AND s.membership_id = m.id AND s.environment = t.environment
    ) used ON true
    WHERE m.user_id = $1 AND m.accepted_at IS NOT NULL AND m.removed_at IS NULL
      AND ($2::text IS NULL OR m.id = $2)
      AND ${opensTenant({ tenant: 't', business: 'b', membership: 'm', user: 'u' })}
    ORDER BY used.at DESC NULLS LAST, t.environment, m.id
    LIMIT 1
    FOR SHARE OF m`,
});

const insertSession = namedOfPlatform(
  'insert_user_session',
  [
    'id',
    'hash',
    'user',
    'operator',
    'membership',
    'environment',
    'by',
    'agent',
    'network',
    'limit',
    'hours',
  ],
  `
    INSERT INTO user_session (
      id, token_hash, user_id, operator_user_id, membership_id, environment, signed_in_by, user_agent,
      network, role_limit, expires_at
    )
    VALUES (
      @id, @hash, @user, @operator, @membership, @environment, @by, @agent, @network, @limit,
      now() + make_interval(hours => @hours)
    )
    RETURNING expires_at AS "expiresAt"`,
);

const operatorLives = platformStatement({
  name: 'operator_user_lives',
  text: 'SELECT 1 AS found FROM operator_user WHERE id = $1 AND revoked_at IS NULL FOR SHARE',
});

/**
 * Throws forbidden for an operator whose user was revoked. Until the transaction ends nobody revokes them, since
 * that ends the sessions that it finds.
 */
async function requireOperator(client: PoolClient, id: string): Promise<void> {
  if ((await firstRow(client, operatorLives, [id])) !== null) return;
  throw new DomainError('forbidden', { message: 'This operator may not sign in any longer.' });
}

interface SessionTenant {
  readonly membershipId: string;
  readonly environment: Environment;
}

async function placeOf(
  client: PoolClient,
  person: Person,
  membershipId: string | null,
): Promise<SessionTenant | null> {
  if ('operatorUserId' in person) {
    await requireOperator(client, person.operatorUserId);
    return null;
  }
  const values = [person.userId, membershipId];
  const place = await firstRow<SessionTenant & Record<string, unknown>>(client, firstPlace, values);
  if (place !== null) return place;
  throw new DomainError('forbidden', {
    message: 'You are a member of no business. Ask an owner or admin of yours for an invitation.',
  });
}

/** Characters of a browser's own description that are kept. */
const longestAgent = 400;

/**
 * Opens a session of a person who has proved who they are, in the transaction of the proof. A business that
 * they registered is theirs for good with it. Throws forbidden for a user who is a member of no business, and for an operator who was revoked.
 * @param membershipId where the session begins; null for where the person worked last
 */
export async function openSession(
  client: PoolClient,
  config: Pick<Config, 'SESSION_MAX_HOURS'>,
  asked: Person,
  opened: {
    readonly by: SignedInBy;
    readonly browser: Browser;
    readonly membershipId?: string | null;
    /** A role of which the session has no right beyond; null for that of the member alone. */
    readonly roleLimit?: Role | null;
  },
): Promise<OpenedSession> {
  const person =
    'userId' in asked ? { userId: await proveBySigningIn(client, asked.userId) } : asked;
  const place = await placeOf(client, person, opened.membershipId ?? null);
  const { token, hash } = makeLinkToken();
  const id = newId('session');
  const row = await firstRow<{ expiresAt: Date }>(
    client,
    insertSession,
    insertSession.of({
      id,
      hash,
      user: 'userId' in person ? person.userId : null,
      operator: 'operatorUserId' in person ? person.operatorUserId : null,
      membership: place?.membershipId ?? null,
      environment: place?.environment ?? null,
      by: opened.by,
      agent: opened.browser.userAgent?.slice(0, longestAgent).toWellFormed() ?? null,
      network: networkOf(opened.browser.clientAddress),
      limit: 'userId' in person ? (opened.roleLimit ?? null) : null,
      hours: config.SESSION_MAX_HOURS,
    }),
  );
  if (row === null) throw new Error('a session that was inserted has an end');
  return { id, token, expiresAt: row.expiresAt };
}
