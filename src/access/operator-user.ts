import type { Pool } from 'pg';
import { firstRow, type Statement } from '../db/pool.ts';
import { emailKey } from '../values/fields.ts';
import { newId } from '../values/ids.ts';

/*
 * The people who run the platform and sign in with a browser. As the operators' keys, they are made from the
 * command line by whoever can reach the database, never over the network.
 */

/** Whoever was revoked is let in again under the same id, so that records name one person. */
const upsertUser: Statement = {
  name: 'upsert_operator_user',
  text: `
    INSERT INTO operator_user (id, email, email_key, name) VALUES ($1, $2, $3, $4)
    ON CONFLICT (email_key) DO UPDATE SET
      email = excluded.email, name = excluded.name, revoked_at = NULL
    RETURNING id`,
};

/** Lets a person sign in as an operator. Repeating it renames them. Returns their id. */
export async function addOperatorUser(
  pool: Pool,
  { email, name }: { readonly email: string; readonly name: string },
): Promise<string> {
  const values = [newId('operatorUser'), email, emailKey(email), name];
  const row = await firstRow<{ id: string }>(pool, upsertUser, values);
  if (row === null) throw new Error('a user that was written has an id');
  return row.id;
}

/** Their sessions stop with the next request, since each looks at the user. */
const revokeUser: Statement = {
  name: 'revoke_operator_user',
  text: `
    UPDATE operator_user o SET revoked_at = coalesce(o.revoked_at, n.at)
    FROM (SELECT now() AS at) n WHERE o.email_key = $1
    RETURNING o.revoked_at AS "revokedAt"`,
};

/**
 * Keeps a person from signing in as an operator, and ends their sessions. Repeating it changes nothing. When it
 * was revoked, or null for an unknown address.
 */
export async function revokeOperatorUser(pool: Pool, email: string): Promise<Date | null> {
  const row = await firstRow<{ revokedAt: Date }>(pool, revokeUser, [emailKey(email)]);
  return row?.revokedAt ?? null;
}
