import type { Pool } from 'pg';
import { parseKey } from '../../src/access/key.ts';
import { makeRequest, makeToken } from '../../src/access/session/link.ts';
import { proveRegistration } from '../../src/access/registration/prove.ts';
import { createPool, inTransaction } from '../../src/db/pool.ts';
import { signInUrl } from '../../src/mail/templates/sign-in.ts';

/** A day: whoever starts everything may look at the terminal again much later. */
const validity = { SIGN_IN_LINK_MINUTES: 1_440 };

interface Holder {
  readonly userId: string;
  readonly businessId: string;
}

/** The member who holds an API key. The address of their registration counts as proven from here on. */
async function provenHolder(pool: Pool, key: string): Promise<Holder> {
  const keyId = parseKey(key)?.keyId ?? '';
  const { rows } = await pool.query<Holder>(
    `SELECT m.user_id AS "userId", m.business_id AS "businessId"
     FROM api_key k JOIN membership m ON m.id = k.membership_id WHERE k.id = $1`,
    [keyId],
  );
  const [holder] = rows;
  if (holder === undefined) throw new Error('the sandbox key has no member');
  // The business is that of whoever started everything. Signing in would end its key otherwise.
  await inTransaction(pool, (client) =>
    proveRegistration(client, holder.businessId, { keys: [keyId], members: [] }),
  );
  return holder;
}

async function withPool<Result>(
  databaseUrl: string,
  work: (pool: Pool) => Promise<Result>,
): Promise<Result> {
  const pool = createPool(databaseUrl, 1, 'payouts-start');
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** Proves the address of a registration, as the link of its mail would. Its key goes on working. */
export async function proveAddress(databaseUrl: string, key: string): Promise<void> {
  await withPool(databaseUrl, (pool) => provenHolder(pool, key));
}

/** A new link that signs in the member who holds an API key, once. The address of their registration counts as proven. */
export function consoleLink(databaseUrl: string, publicUrl: string, key: string): Promise<string> {
  return withPool(databaseUrl, async (pool) => {
    const holder = await provenHolder(pool, key);
    const requestId = await makeRequest(pool, validity, holder);
    return signInUrl(publicUrl, await makeToken(pool, requestId));
  });
}
