import { platformStatement, rows, type Queryable } from '../../db/pool.ts';
import { linkTokenHash } from '../collection-link.ts';

const revokeByToken = platformStatement({
  name: 'revoke_user_session_by_token',
  text: `UPDATE user_session SET revoked_at = now() WHERE token_hash = $1 AND revoked_at IS NULL`,
});

/** Ends the session of a token; nothing happens for one that has ended or never was. */
export async function endSession(client: Queryable, token: string): Promise<void> {
  const hash = linkTokenHash(token);
  if (hash !== null) await rows(client, revokeByToken, [hash]);
}
