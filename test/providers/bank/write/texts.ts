import fc from 'fast-check';

/** Letters, digits and marks of all scripts, by the neighbourhood of 64 in which Unicode has them. */
function neighbourhoods(): Record<'han' | 'living' | 'rare', string[][]> {
  const found = new Map<number, string[]>();
  for (let code = 0x21; code < 0x32000; code += 1) {
    if (code >= 0xd800 && code < 0xe000) continue;
    const character = String.fromCodePoint(code);
    if (!/[\p{L}\p{M}\p{N}]/u.test(character)) continue;
    const place = code >> 6;
    found.set(place, [...(found.get(place) ?? []), character]);
  }
  const all = [...found.values()];
  const first = (letters: string[]) => letters[0] ?? '';
  const isRare = (letters: string[]) => (first(letters).codePointAt(0) ?? 0) > 0xffff;
  const isHan = (letters: string[]) => /^\p{Script=Han}/u.test(first(letters));
  return {
    han: all.filter((letters) => isHan(letters) && !isRare(letters)),
    living: all.filter((letters) => !isHan(letters) && !isRare(letters)),
    rare: all.filter(isRare),
  };
}

const { han, living, rare } = neighbourhoods();

const wordOf = (places: readonly string[][]) =>
  fc
    .constantFrom(...places)
    .chain((letters) => fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 12 }))
    .map((letters) => letters.join(''));

/**
 * A word of any script. Most are not Han, which has more signs than all others together. Few are of the
 * rare ones, such as cuneiform, for which there is no transliteration.
 */
const word = fc.oneof(
  { weight: 12, arbitrary: wordOf(living) },
  { weight: 4, arbitrary: wordOf(han) },
  { weight: 1, arbitrary: wordOf(rare) },
  { weight: 8, arbitrary: fc.stringMatching(/^[A-Za-z'.-]{2,12}$/) },
);

/** What else people write: signs of markup, emoji, invisible characters, halves of pairs. */
const oddities =
  '& <b> " ]]> _ @ # 😀 👩‍👩‍👧 \u0000 \u00a0 \u200f \ud83d \u0301 \ufffd \ue000 \u{10ffff} // / … № € ½';
const oddity = fc.constantFrom('\n', ...oddities.split(' '));

const joined = (words: string[]) => words.join(' ');

/** Mostly words; one in eight holds something odd. */
export const anyText = fc.oneof(
  { weight: 7, arbitrary: fc.array(word, { minLength: 1, maxLength: 5 }).map(joined) },
  {
    weight: 1,
    arbitrary: fc.array(fc.oneof(word, oddity), { minLength: 0, maxLength: 6 }).map(joined),
  },
);
