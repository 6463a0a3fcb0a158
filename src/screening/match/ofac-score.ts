import { jaroWinkler } from './jaro-winkler.ts';

/*
 * The score that OFAC's Sanctions List Search shows for a name (FAQ 249 of the Office of Foreign Assets Control, 28
 * April 2021: the higher one of two techniques). It is no good measure of names. It stands beside the score of this
 * service, so that an auditor can compare the two with the official search.
 */

/** Words of a query of up to so many letters are left out, unless it has no others. */
const shortWord = 2;
/** A pair of words below this similarity counts nothing. */
const pairFloor = 0.5;

/** Apostrophes, points and commas are deleted and separate nothing: O'Brien is one word. */
function words(name: string): string[] {
  return name
    .normalize('NFC')
    .replaceAll(/['’‘`.,]/g, '')
    .toUpperCase()
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Whole names are compared only where they begin with the same letter, and an equal beginning always counts. */
function wholeScore(query: readonly string[], candidate: readonly string[]): number {
  const [left, right] = [query.join(' '), candidate.join(' ')];
  return left[0] === right[0] ? jaroWinkler(left, right, 0) : 0;
}

/** The mean of the best pair of each word of the query. */
function wordScore(query: readonly string[], candidate: readonly string[]): number {
  const long = query.filter((word) => word.length > shortWord);
  const counted = long.length === 0 ? query : long;
  const best = counted.map((word) =>
    Math.max(...candidate.map((other) => jaroWinkler(word, other, 0.7))),
  );
  return best.reduce((sum, one) => sum + (one < pairFloor ? 0 : one), 0) / counted.length;
}

/** What OFAC's own search would show for a name of its list, from 0 to 100. */
export function ofacScore(query: string, candidate: string): number {
  const [left, right] = [words(query), words(candidate)];
  if (left.length === 0 || right.length === 0) return 0;
  return Math.round(100 * Math.max(wholeScore(left, right), wordScore(left, right)));
}
