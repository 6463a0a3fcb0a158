/*
 * How far two words are apart: the cheapest edits that make one of the other (Damerau and Levenshtein, neighbours
 * swapped), where a vowel for a vowel, a letter that is doubled, and letters that are taken for each other cost less.
 */

const isVowel = (sign: number): boolean =>
  sign === 97 || sign === 101 || sign === 105 || sign === 111 || sign === 117 || sign === 121;
const isDigit = (sign: number): boolean => sign >= 48 && sign <= 57;

/** Letters, and digits for letters, that people and machines take for each other. */
const alike = new Set(
  '0o 1i 1l il 5s 8b 9g 9q 6b ck cs sz fv vw bv dt gk kq kx ij jy iy uw ou mn hk pb'
    .split(' ')
    .flatMap(([a = '', b = '']) => [a + b, b + a])
    .map((pair) => pair.charCodeAt(0) * 128 + pair.charCodeAt(1)),
);

function replaced(left: number, right: number): number {
  if (left === right) return 0;
  if (isVowel(left) && isVowel(right)) return 0.6;
  if (alike.has(left * 128 + right)) return 0.7;
  return isDigit(left) && isDigit(right) ? 1.5 : 1;
}

/** What a letter more costs: less where it repeats its neighbour, or is a silent h. */
function added(sign: number, before: number): number {
  if (sign === before) return 0.4;
  if (isDigit(sign)) return 1.5;
  return sign === 104 ? 0.6 : isVowel(sign) ? 0.8 : 1;
}

const longest = 64;
const width = longest + 1;
const table = new Float64Array(width * width);
/** What the table holds is read only where it was written in the same call. */
const cell = (row: number, column: number): number => table[row * width + column] ?? 0;

/** The cost of the cheapest edits between two lower-case words of ASCII, of which 64 letters are looked at. */
export function distance(first: string, second: string): number {
  const left = first.slice(0, longest);
  const right = second.slice(0, longest);
  if (left === right) return 0;
  for (let j = 1; j <= right.length; j += 1) {
    table[j] = cell(0, j - 1) + added(right.charCodeAt(j - 1), right.charCodeAt(j - 2));
  }
  table[0] = 0;
  for (let i = 1; i <= left.length; i += 1) fillRow(i, left, right);
  return cell(left.length, right.length);
}

function fillRow(i: number, left: string, right: string): void {
  const a = left.charCodeAt(i - 1);
  const before = left.charCodeAt(i - 2);
  const removed = added(a, before);
  table[i * width] = cell(i - 1, 0) + removed;
  for (let j = 1; j <= right.length; j += 1) {
    const b = right.charCodeAt(j - 1);
    let best = Math.min(
      cell(i - 1, j - 1) + replaced(a, b),
      cell(i - 1, j) + removed,
      cell(i, j - 1) + added(b, right.charCodeAt(j - 2)),
    );
    if (i > 1 && j > 1 && a !== b && a === right.charCodeAt(j - 2) && b === before) {
      best = Math.min(best, cell(i - 2, j - 2) + 0.9);
    }
    table[i * width + j] = best;
  }
}

/** Edits that a word of so many letters may have and still be the same: none for two letters. */
export function budget(letters: number): number {
  if (letters <= 2) return 0;
  if (letters === 3) return 0.6;
  if (letters <= 5) return 1;
  if (letters <= 7) return 1.7;
  return letters <= 10 ? 2.2 : 3;
}
