import { randomBytes } from 'node:crypto';

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID of this moment: 48 bits of time, 80 random bits, in Crockford base32. */
export function newUlid(): string {
  const value = (BigInt(Date.now()) << 80n) | BigInt(`0x${randomBytes(10).toString('hex')}`);
  let text = '';
  for (let shift = 125n; shift >= 0n; shift -= 5n) {
    text += alphabet.charAt(Number((value >> shift) & 31n));
  }
  return text;
}
