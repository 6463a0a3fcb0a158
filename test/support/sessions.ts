import { makeRequest, makeToken } from '../../src/access/session/link.ts';
import { openSession, type Person } from '../../src/access/session/open.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { asKey } from './credential.ts';
import type { Harness, RestAnswer } from './harness.ts';

/** What a browser sends with a request of the console. */
const pageHeaders = (harness: Pick<Harness, 'services'>): Record<string, string> => ({
  origin: harness.services.config.PUBLIC_URL,
  'x-payouts-console': '1',
});

/** The person of a key, and their membership. */
export async function holderOf(
  { database }: Pick<Harness, 'database'>,
  key: string,
): Promise<{ userId: string; membershipId: string; email: string; environment: string }> {
  const { rows } = await database.pool.query(
    `SELECT m.user_id AS "userId", m.id AS "membershipId", u.email, t.environment
     FROM api_key k JOIN membership m ON m.id = k.membership_id JOIN app_user u ON u.id = m.user_id
     JOIN tenant t ON t.id = k.tenant_id
     WHERE k.id = 'key_' || split_part($1, '_', 3)`,
    [key],
  );
  return rows[0];
}

const browser = { clientAddress: '192.0.2.7', userAgent: 'Test' };

/** A session of a person straight in the database, as a credential for `graphql`. */
export async function sessionOf(
  { services }: Pick<Harness, 'services'>,
  person: Person,
  membershipId: string | null = null,
): Promise<{ id: string; key: string; token: string }> {
  const { id, token } = await inTransaction(services.pool, (client) =>
    openSession(client, services.config, person, { by: 'link', browser, membershipId }),
  );
  return { id, token, key: asKey(token) };
}

/** A session of the member who holds a key, in the environment of that key. */
export async function sessionLike(harness: Harness, key: string): Promise<string> {
  const { userId, membershipId, environment } = await holderOf(harness, key);
  const session = await sessionOf(harness, { userId }, membershipId);
  await harness.database.pool.query('UPDATE user_session SET environment = $2 WHERE id = $1', [
    session.id,
    environment,
  ]);
  return session.key;
}

/** The token of a link for a person, as its mail would carry it. */
export async function linkToken({ services }: Harness, person: Person): Promise<string> {
  const requestId = await makeRequest(services.pool, services.config, person);
  return makeToken(services.pool, requestId);
}

/** Sends a request to sign in as a page of the console does. */
export function signInRequest(
  harness: Harness,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<RestAnswer> {
  return harness.rest('POST', path, { body, headers: { ...pageHeaders(harness), ...headers } });
}

/** The token in a Set-Cookie of an answer; null where the answer sets none. */
export function cookieOf({ headers }: Pick<RestAnswer, 'headers'>): string | null {
  const text = headers.get('set-cookie') ?? '';
  return /^__Host-payouts_session=([A-Za-z0-9_-]{43});/.exec(text)?.[1] ?? null;
}
