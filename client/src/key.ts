/** Crockford's base 32: no letter that is read as a digit. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

function digits(value: number, count: number): string {
  let text = '';
  for (let rest = value, left = count; left > 0; left -= 1, rest = Math.floor(rest / 32)) {
    text = alphabet.charAt(rest % 32) + text;
  }
  return text;
}

/** A new ULID: 48 bits of time and 80 random bits, good as an idempotency key and as a decision's id. */
export function newKey(): string {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const tail = Array.from(random, (byte) => alphabet.charAt(byte % 32)).join('');
  return digits(Date.now(), 10) + tail;
}
