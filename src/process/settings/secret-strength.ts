/**
 * Whether somebody could guess a key or a secret. Each function returns the end of a sentence that
 * begins with the name of the setting, or null when it finds no weakness. The value is never shown.
 */

/** Whether each byte differs from the one before by the same step: 00 01 02 …, also backwards. */
function isSequence(bytes: Uint8Array): boolean {
  const step = ((bytes[1] ?? 0) - (bytes[0] ?? 0) + 256) % 256;
  return bytes.every((byte, at) => at === 0 || byte === ((bytes[at - 1] ?? 0) + step) % 256);
}

/** Whether a shorter sequence is repeated: the period is at most half of the length. */
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

/** Only about one random key of 32 bytes in a billion has fewer different bytes than this. */
const differentBytes = 17;

/** Why 32 bytes are no key that a random source gave, or null. */
export function weaknessOfKey(key: Uint8Array): string | null {
  if (isSequence(key)) return 'is a sequence of bytes, not random ones';
  if (isRepeated(key)) return 'is a pattern that repeats, not random bytes';
  if (new Set(key).size < differentBytes) return 'has few different bytes: it is not random';
  // One random key in 10^13 consists of printable characters only.
  if (key.every((byte) => byte >= 0x20 && byte < 0x7f)) return 'is text, not random bytes';
  return null;
}

const shortest = 16;
const differentCharacters = 5;
const commonWords =
  /passwor[dt]|change.?me|example|development|qwert[yz]|letmein|placeholder|replace.?me|your.?(secret|key|token)/i;

/** Whether most characters follow or repeat the one before: 0123456789abcdef, aaaabbbbcccc. */
function climbs(text: string): boolean {
  let steps = 0;
  for (let at = 1; at < text.length; at += 1) {
    if (Math.abs(text.charCodeAt(at) - text.charCodeAt(at - 1)) <= 1) steps += 1;
  }
  return steps >= (text.length - 1) * 0.75;
}

/** The text itself, and the text as decoded from base64 and from hexadecimal. */
function readings(text: string): string[] {
  const decoded = (['base64', 'hex'] as const).map((encoding) =>
    Buffer.from(text, encoding).toString('latin1'),
  );
  return [text, ...decoded].map((reading) => reading.toLowerCase());
}

/** Why a shared secret could be guessed, or null. `known` holds the values that are public. */
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
