import { createHash, randomBytes } from 'node:crypto';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';

/** A browser asks its owner within this time. */
export const challengeMinutes = 5;

const insert = platformStatement({
  name: 'insert_passkey_challenge',
  text: `
    INSERT INTO passkey_challenge (challenge_hash, session_id, expires_at)
    VALUES ($1, $2, now() + make_interval(mins => $3))`,
});

const hashOf = (challenge: string): Buffer => createHash('sha256').update(challenge).digest();

/**
 * A new challenge, in base64url.
 * @param sessionId the session that adds a passkey; null for whoever signs in with one
 */
export async function makeChallenge(
  client: Queryable,
  sessionId: string | null,
): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = new Uint8Array(randomBytes(32));
  const text = Buffer.from(challenge).toString('base64url');
  await rows(client, insert, [hashOf(text), sessionId, challengeMinutes]);
  return challenge;
}

/** The row goes, so a signature counts once, and of two requests that show it one finds it. */
const take = platformStatement({
  name: 'take_passkey_challenge',
  text: `
    DELETE FROM passkey_challenge
    WHERE challenge_hash = $1 AND session_id IS NOT DISTINCT FROM $2 AND expires_at > now()
    RETURNING 1 AS taken`,
});

/** Whether the challenge was made for this use and shown for the first time. */
export async function takeChallenge(
  client: Queryable,
  challenge: string,
  sessionId: string | null,
): Promise<boolean> {
  return (await firstRow(client, take, [hashOf(challenge), sessionId])) !== null;
}
