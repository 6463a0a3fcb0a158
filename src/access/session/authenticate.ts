import type { Pool } from 'pg';
import { firstRow, platformStatement, rows } from '../../db/pool.ts';
import type { Config } from '../../process/config.ts';
import type { Attempt } from '../authenticate.ts';
import { linkTokenHash } from '../collection-link.ts';
import { tierSql, type Tier } from '../rate-limit/tier.ts';
import { roleWithin, type Role } from '../roles.ts';
import { makeOperatorScope, makeScope, type Caller, type Environment } from '../scope.ts';
import { beganSince, opensTenant } from './place.ts';

/** Whether a session has neither been revoked nor come to an end. `$2` is SESSION_IDLE_MINUTES. */
export const sessionLives = `(s.revoked_at IS NULL AND s.expires_at > now()
  AND s.last_seen_at > now() - make_interval(mins => $2::integer))`;

interface SessionRow {
  readonly id: string;
  readonly user_id: string | null;
  readonly operator_user_id: string | null;
  readonly membership_id: string | null;
  readonly environment: Environment | null;
  readonly tenant_id: string | null;
  readonly business_id: string | null;
  readonly role: Role | null;
  readonly role_limit: Role | null;
  readonly tier: Tier;
  readonly lives: boolean;
  readonly opens: boolean;
  /** Whether its last use was noted more than a minute ago. */
  readonly noteworthy: boolean;
}

/**
 * Reads a session by the hash of its token, with what its member may do at the moment: the role is that of
 * the membership, and whoever is no longer a member has none.
 */
const storedSession = platformStatement({
  name: 'stored_user_session',
  text: `
    SELECT s.id, s.user_id, s.operator_user_id, s.membership_id, s.environment, t.id AS tenant_id,
      b.id AS business_id, m.role, s.role_limit, ${sessionLives} AS lives,
      s.last_seen_at < now() - interval '1 minute' AS noteworthy,
      coalesce(${tierSql('t', 'b')}, 'generous') AS tier,
      CASE WHEN s.operator_user_id IS NOT NULL THEN o.revoked_at IS NULL
        ELSE coalesce(${opensTenant({ tenant: 't', business: 'b', membership: 'm', user: 'u' })}, false)
      END AS opens
    FROM user_session s
    LEFT JOIN operator_user o ON o.id = s.operator_user_id
    LEFT JOIN membership m
      ON m.id = s.membership_id AND m.removed_at IS NULL AND m.accepted_at IS NOT NULL
        AND ${beganSince('s', 'm')}
    LEFT JOIN app_user u ON u.id = m.user_id
    LEFT JOIN business b ON b.id = m.business_id
    LEFT JOIN tenant t ON t.business_id = b.id AND t.environment = s.environment
    WHERE s.token_hash = $1`,
});

/** Notes the use of a session, at most once a minute. */
const noteUse = platformStatement({
  name: 'note_user_session_use',
  text: `
    UPDATE user_session SET last_seen_at = now()
    WHERE id = $1 AND revoked_at IS NULL AND last_seen_at < now() - interval '1 minute'`,
});

/** Sessions that worked recently on this process, which are not counted among guesses. */
const mostRecognised = 10_000;

export interface AuthenticateSession {
  /**
   * Whom the token of a session stands for.
   * @param counts whether the request is one of its person, which keeps the session from ending idle
   * @param ofUnknown gives the connections by which a session is read that did not work recently on this process
   */
  attempt(token: string, counts: boolean, ofUnknown?: () => Pool): Promise<Attempt>;
  /** Whether the token worked recently on this process; asks nobody. */
  recognises(token: string): boolean;
}

/**
 * Makes the function that authenticates sessions. Each request reads its session: people make few requests,
 * and a switch to another environment, a revocation or a new role then counts on every process with the
 * next one.
 */
export function createAuthenticateSession(
  pool: Pool,
  config: Pick<Config, 'SESSION_IDLE_MINUTES'>,
): AuthenticateSession {
  /** Base64 of the hashes, those that were used last at the end. */
  const recent = new Set<string>();

  function remember(hash: string): void {
    recent.delete(hash);
    const [oldest] = recent;
    if (recent.size >= mostRecognised && oldest !== undefined) recent.delete(oldest);
    recent.add(hash);
  }

  return {
    async attempt(token, counts, ofUnknown = () => pool) {
      const hash = linkTokenHash(token);
      if (hash === null) return { refused: 'ended' };
      const known = hash.toString('base64');
      const from = recent.has(known) ? pool : ofUnknown();
      const values = [hash, config.SESSION_IDLE_MINUTES];
      const row = await firstRow<SessionRow & Record<string, unknown>>(from, storedSession, values);
      const caller = row?.lives === true && row.opens ? callerOf(row) : null;
      if (row === null || caller === null) {
        recent.delete(known);
        return { refused: 'ended', wasThere: row !== null };
      }
      if (counts && row.noteworthy) await rows(from, noteUse, [row.id]);
      remember(known);
      return { caller, tier: row.tier };
    },
    recognises(token) {
      const hash = linkTokenHash(token);
      return hash !== null && recent.has(hash.toString('base64'));
    },
  };
}

/** The scope of a session that lives; null where its member has left. */
function callerOf(row: SessionRow): Caller | null {
  const { id: session_id, operator_user_id, user_id, membership_id } = row;
  if (operator_user_id !== null) {
    return makeOperatorScope({ type: 'operator', operator_user_id }, session_id);
  }
  const { tenant_id: tenantId, business_id: businessId, environment } = row;
  if (tenantId === null || businessId === null || environment === null) return null;
  if (user_id === null || membership_id === null || row.role === null) return null;
  const role = row.role_limit === null ? row.role : roleWithin(row.role, row.role_limit);
  const actor = { type: 'member', user_id, membership_id, session_id, role } as const;
  return makeScope({ tenantId, businessId, environment, actor });
}
