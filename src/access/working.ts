import { platformStatement, rows } from '../db/pool.ts';
import type { Services } from '../process/services.ts';
import { isId } from '../values/ids.ts';
import { sessionLives } from './session/authenticate.ts';
import { beganSince, opensTenant } from './session/place.ts';

const workingKeys = platformStatement({
  name: 'working_api_keys',
  text: `
    SELECT k.id FROM api_key k JOIN membership m ON m.id = k.membership_id
    WHERE k.id = ANY ($1::text[]) AND k.revoked_at IS NULL AND k.held_at IS NULL
      AND m.removed_at IS NULL AND m.accepted_at IS NOT NULL`,
});

const workingSessions = platformStatement({
  name: 'working_user_sessions',
  text: `
    SELECT s.id, t.id AS tenant
    FROM user_session s
    JOIN membership m ON m.id = s.membership_id AND m.removed_at IS NULL AND m.accepted_at IS NOT NULL
    JOIN app_user u ON u.id = m.user_id
    JOIN business b ON b.id = m.business_id
    JOIN tenant t ON t.business_id = b.id AND t.environment = s.environment
    WHERE s.id = ANY ($1::text[]) AND ${sessionLives} AND ${beganSince('s', 'm')}
      AND ${opensTenant({ tenant: 't', business: 'b', membership: 'm', user: 'u' })}`,
});

/** A credential that was shown, and the tenant that it opened then. */
export interface ShownCredential {
  readonly credentialId: string;
  readonly tenantId: string;
}

/**
 * Tells of credentials whether they still work: a key that is not revoked and waits for no confirmation, of a member who is not removed; a
 * session that has not ended and still works in the same tenant.
 */
export async function whichWork(
  { pool, config }: Pick<Services, 'pool' | 'config'>,
  shown: readonly ShownCredential[],
): Promise<(credential: ShownCredential) => boolean> {
  const ids = [...new Set(shown.map(({ credentialId }) => credentialId))];
  const [sessions, keys] = [true, false].map((wanted) =>
    ids.filter((id) => isId('session', id) === wanted),
  ) as [string[], string[]];
  const working = keys.length === 0 ? [] : await rows<{ id: string }>(pool, workingKeys, [keys]);
  const places =
    sessions.length === 0
      ? []
      : await rows<{ id: string; tenant: string }>(pool, workingSessions, [
          sessions,
          config.SESSION_IDLE_MINUTES,
        ]);
  const found = new Map<string, string | null>([
    ...working.map(({ id }) => [id, null] as const),
    ...places.map(({ id, tenant }) => [id, tenant] as const),
  ]);
  return ({ credentialId, tenantId }) => {
    const place = found.get(credentialId);
    return place === null || place === tenantId;
  };
}
