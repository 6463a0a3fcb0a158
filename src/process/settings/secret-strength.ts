/**
 * Whether somebody could guess a key or a secret. Each function answers with the end of a sentence that
 * begins with the name of the setting and never shows the value, or with null where nothing is found.
 */

/** Bytes that follow each other by one step: 00 01 02 …, also backwards and with a wider step. */
function isSequence(bytes: Uint8Array): boolean {
  const step = ((bytes[1] ?? 0) - (bytes[0] ?? 0) + 256) % 256;
  return bytes.every((byte, at) => at === 0 || byte === ((bytes[at - 1] ?? 0) + step) % 256);
}

/** Whether the text or key is a shorter one, over and over: its period is half of it at most. */
function isRepeated(values: ArrayLike<unknown>): boolean {
  for (let period = 1; period <= values.length / 2; period += 1) {
    let same = true;
    for (let at = period; same && at < values.length; at += 1) {
      same = values[at] === values[at - period];
    }
    if (same) return true;
  }
  return false;
}

/** 32 random bytes have fewer than this many different ones once in some thousand million keys. */
const differentBytes = 17;

/** Why 32 bytes are no key that a random source gave, or null. */
export function weaknessOfKey(key: Uint8Array): string | null {
  if (isSequence(key)) return 'is a sequence of bytes, not random ones';
  if (isRepeated(key)) return 'is a pattern that repeats, not random bytes';
  if (new Set(key).size < differentBytes) return 'has few different bytes: it is not random';
  // A random key is printable throughout once in 10^13.
  if (key.every((byte) => byte >= 0x20 && byte < 0x7f)) return 'is text, not random bytes';
  return null;
}

const shortest = 16;
const differentCharacters = 5;
const commonWords =
  /passwor[dt]|change.?me|example|development|qwert[yz]|letmein|placeholder|replace.?me|your.?(secret|key|token)/i;

/** Whether most characters are the neighbour of the one before: 0123456789abcdef, aaaabbbbcccc. */
function climbs(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) <= 1) steps += 1;
  }
  return steps >= (text.length - 1) * 0.75;
}

/** The text itself, and what it is the base64 or the hexadecimal of. */
function readings(text: string): string[] {
  const decoded = (['base64', 'hex'] as const).map((encoding) =>
    Buffer.from(text, encoding).toString('latin1'),
  );
  return [text, ...decoded].map((reading) => reading.toLowerCase());
}

/** Why a shared secret could be guessed, or null. `known` are the values that everybody can read. */
export function weaknessOfSecret(secret: string, known: readonly string[]): string | null {
  const inAny = known.flatMap(readings).filter((value) => value.length >= shortest);
  if (readings(secret).some((reading) => inAny.some((value) => reading.includes(value)))) {
    return 'holds a development default, which is public';
  }
  if (secret.length < shortest) return `has fewer than ${shortest} characters`;
  if (isRepeated(secret)) return 'is a pattern that repeats';
  if (new Set(secret).size < differentCharacters) return 'has few different characters';
  if (climbs(secret)) return 'is a sequence of characters';
  if (commonWords.test(secret)) return 'holds a word that is found in every list of passwords';
  return null;
}
