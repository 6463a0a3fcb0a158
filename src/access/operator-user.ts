import type { Pool } from 'pg';
import { firstRow, inTransaction, platformStatement } from '../db/pool.ts';
import { emailKey } from '../values/fields.ts';
import { newId } from '../values/ids.ts';
import { logCommand } from './operator-log.ts';

/*
 * The people who run the platform and sign in with a browser. As the operators' keys, they are made from the
 * command line by whoever connects as the owner of the tables, never over the network.
 */

/** Whoever was revoked is let in again under the same id, so that records name one person. */
const upsertUser = platformStatement({
  name: 'upsert_operator_user',
  text: `
    INSERT INTO operator_user (id, email, email_key, name) VALUES ($1, $2, $3, $4)
    ON CONFLICT (email_key) DO UPDATE SET
      email = excluded.email, name = excluded.name, revoked_at = NULL
    RETURNING id`,
});

/** Lets a person sign in as an operator, and logs it. Repeating it renames them. Returns their id. */
export async function addOperatorUser(
  pool: Pool,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<string> {
  const values = [newId('operatorUser'), email, emailKey(email), name];
  return inTransaction(pool, async (client) => {
    const row = await firstRow<{ id: string }>(client, upsertUser, values);
    if (row === null) throw new Error('a user that was written has an id');
    await logCommand(client, 'add_operator', row.id, name);
    return row.id;
  });
}

/** Waits for a session or passkey that is being made, so that the next statement sees it. */
const lockUser = platformStatement({
  name: 'lock_operator_user',
  text: `
    SELECT o.id, o.revoked_at IS NOT NULL AS revoked
    FROM operator_user o WHERE o.email_key = $1 FOR NO KEY UPDATE`,
});

/**
 * Their sessions, passkeys, links and identities of a company end for good: whoever is let in again after a device
 * was lost must not let its finder in.
 */
const revokeUser = platformStatement({
  name: 'revoke_operator_user',
  text: `
    WITH revoked AS (
      UPDATE operator_user o SET revoked_at = coalesce(o.revoked_at, n.at)
      FROM (SELECT now() AS at) n WHERE o.email_key = $1
      RETURNING o.id, o.revoked_at
    ),
    signed_out AS (
      UPDATE user_session s SET revoked_at = r.revoked_at
      FROM revoked r WHERE s.operator_user_id = r.id AND s.revoked_at IS NULL
    ),
    without_passkeys AS (
      UPDATE passkey p SET removed_at = r.revoked_at
      FROM revoked r WHERE p.operator_user_id = r.id AND p.removed_at IS NULL
    ),
    without_links AS (
      UPDATE sign_in_request q SET used_at = r.revoked_at
      FROM revoked r WHERE q.operator_user_id = r.id AND q.used_at IS NULL
    ),
    unbound AS (
      DELETE FROM oidc_identity i USING revoked r WHERE i.operator_user_id = r.id
    )
    SELECT r.revoked_at AS "revokedAt" FROM revoked r`,
});

/**
 * Keeps a person from signing in as an operator, ends their sessions, passkeys and links, and logs it. Repeating it
 * changes and logs nothing. When it was revoked, or null for an unknown address.
 */
export async function revokeOperatorUser(pool: Pool, email: string): Promise<Date | null> {
  const values = [emailKey(email)];
  return inTransaction(pool, async (client) => {
    const found = await firstRow<{ id: string; revoked: boolean }>(client, lockUser, values);
    if (found === null) return null;
    const row = await firstRow<{ revokedAt: Date }>(client, revokeUser, values);
    if (!found.revoked) await logCommand(client, 'revoke_operator', found.id, null);
    return row?.revokedAt ?? null;
  });
}
