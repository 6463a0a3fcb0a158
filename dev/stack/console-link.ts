import { parseKey } from '../../src/access/key.ts';
import { makeRequest, makeToken } from '../../src/access/session/link.ts';
import { proveRegistration } from '../../src/access/registration/prove.ts';
import { createPool, inTransaction } from '../../src/db/pool.ts';
import { signInUrl } from '../../src/mail/templates/sign-in.ts';

/** A day: whoever starts everything may look at the terminal again much later. */
const validity = { SIGN_IN_LINK_MINUTES: 1_440 };

interface KeyHolder {
  readonly userId: string;
  readonly businessId: string;
}

/**
 * Proves the address of the business that holds a sandbox key, as the link of its mail would, and makes a link that
 * signs its member in, once.
 */
export async function consoleLink(
  databaseUrl: string,
  publicUrl: string,
  key: string,
): Promise<string> {
  const pool = createPool(databaseUrl, 1, 'payouts-start');
  try {
    const keyId = parseKey(key)?.keyId ?? '';
    const { rows } = await pool.query<KeyHolder>(
      `SELECT m.user_id AS "userId", m.business_id AS "businessId"
       FROM api_key k JOIN membership m ON m.id = k.membership_id WHERE k.id = $1`,
      [keyId],
    );
    const [holder] = rows;
    if (holder === undefined) throw new Error('the sandbox key has no member');
    // Signing in would end its key otherwise.
    await inTransaction(pool, (client) =>
      proveRegistration(client, holder.businessId, { keys: [keyId], members: [] }),
    );
    const requestId = await makeRequest(pool, validity, holder);
    return signInUrl(publicUrl, await makeToken(pool, requestId));
  } finally {
    await pool.end();
  }
}
