/*
 * The consonants of a word as transliterations agree on them: Mohammed, Muhammad and Mohamed are mhmd, Qadhafi and
 * Gaddafi are kdf. Two letters for one sound become one, and vowels and their signs go.
 */

const sounds: readonly (readonly [RegExp, string])[] = [
  [/shch|sch|sh|ch|tch|cz|zh|ž|š|č/g, 's'],
  [/tz|ts|z/g, 's'],
  [/ph|v|w(?=[aeiouy])/g, 'f'],
  [/kh|gh|q|ck|c|x/g, 'k'],
  [/th/g, 't'],
  [/dh/g, 'd'],
  [/dj|j|g(?=[ei])/g, 'j'],
  [/g/g, 'k'],
  [/[aeiouwy]+/g, ''],
  [/(.)\1+/g, '$1'],
];

const known = new Map<string, string>();
const mostKnown = 100_000;

function fold(word: string): string {
  const first = /^[aeiouwy]/.test(word) ? 'a' : '';
  const folded = sounds.reduce((text, [sound, letter]) => text.replace(sound, letter), word);
  // A final h is silent in most transliterations: Abdullah, Abdulla.
  return first + (folded.length > 2 ? folded.replace(/h$/, '') : folded);
}

/** The folded consonants of a lower-case word of ASCII. A vowel at its beginning is an `a`. */
export function skeleton(word: string): string {
  const kept = known.get(word);
  if (kept !== undefined) return kept;
  const found = fold(word);
  if (known.size < mostKnown) known.set(word, found);
  return found;
}
