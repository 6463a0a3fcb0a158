import { createHmac, timingSafeEqual } from 'node:crypto';

/** The header with the signature of a webhook, outgoing and inbound (docs/webhooks.md). */
export const signatureHeader = 'X-Service-Signature';

/** A signature is accepted up to this many seconds before and after its timestamp. */
const replayWindowSeconds = 300;

const headerPattern = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/;

function digest(secret: string, timestamp: number, rawBody: Uint8Array): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(rawBody).digest();
}

/**
 * The header value for a body: HMAC-SHA256 of `<unix_ts>.<rawBody>` in lowercase hexadecimal.
 * @param timestamp seconds since 1970
 */
export function sign(secret: string, timestamp: number, rawBody: Uint8Array): string {
  return `t=${timestamp},v1=${digest(secret, timestamp, rawBody).toString('hex')}`;
}

export type Verification = 'valid' | 'malformed' | 'expired' | 'mismatch';

interface Claim {
  readonly timestamp: number;
  readonly digest: Buffer;
}

function readClaim(header: string | undefined, now: number): Claim | 'malformed' | 'expired' {
  const match = headerPattern.exec(header ?? '');
  if (match === null) return 'malformed';
  const timestamp = Number(match[1]);
  if (Math.abs(now - timestamp) > replayWindowSeconds) return 'expired';
  return { timestamp, digest: Buffer.from(match[2] ?? '', 'hex') };
}

/**
 * What a signature header says before its body is there: nobody needs to read the body of one that is `malformed` or
 * `expired`.
 * @param now seconds since 1970
 */
export function verifyHead(
  header: string | undefined,
  now: number,
): 'fresh' | 'malformed' | 'expired' {
  const claim = readClaim(header, now);
  return typeof claim === 'string' ? claim : 'fresh';
}

/**
 * Checks a signature header against the raw bytes of the body, comparing digests in constant time. A body that
 * was parsed and serialised again does not work: key order and the spelling of numbers change the bytes.
 * @param now seconds since 1970
 */
export function verify(
  secret: string,
  header: string | undefined,
  rawBody: Uint8Array,
  now: number,
): Verification {
  const claim = readClaim(header, now);
  if (typeof claim === 'string') return claim;
  const right = digest(secret, claim.timestamp, rawBody);
  return timingSafeEqual(claim.digest, right) ? 'valid' : 'mismatch';
}
