import { createHash } from 'node:crypto';

/** Keeps a signature from being taken for one of another purpose; it ends with a byte that no text has. */
const domain = 'payouts/step-up/v1\0';

/** What a passkey signs for a text: SHA-256 over the domain, the random bytes and the text, as begin-step-up.sql makes it. */
export const challengeOf = (nonce: Uint8Array, text: string): Buffer =>
  createHash('sha256').update(domain).update(nonce).update(text).digest();

/** The digest by which the text of several approvals names theirs, as batch-text.sql makes it. */
export const itemsDigest = (texts: readonly string[]): string => {
  const sorted = texts.map((text) => Buffer.from(`${text}\n`)).toSorted(Buffer.compare);
  return createHash('sha256').update(Buffer.concat(sorted)).digest('hex');
};
