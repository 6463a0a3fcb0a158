import type { SearchEntry } from './page.ts';

/** The words of a question; a code such as `invalid_money` is also found by its parts. */
const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** How well a word is met: as a whole, at a beginning, or inside. */
function strength(word: string, text: string): number {
  const at = text.indexOf(word);
  if (at === -1) return 0;
  const begins = at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1] ?? '');
  const after = text[at + word.length];
  if (begins && (after === undefined || !/[\p{L}\p{N}]/u.test(after))) return 3;
  return begins ? 2 : 1;
}

/** The sum over the words; 0 when one of them is nowhere. */
function scoreOf(words: readonly string[], entry: SearchEntry): number {
  const heading = entry.title.toLowerCase();
  const page = entry.of.toLowerCase();
  const body = entry.text.toLowerCase();
  let score = 0;
  for (const word of words) {
    const met = 12 * strength(word, heading) + 4 * strength(word, page) + strength(word, body);
    if (met === 0) return 0;
    score += met;
  }
  // Of two places with the same words the shorter one is about them.
  return score - Math.min(heading.length, 80) / 40;
}

/** Finds the places that have every word of the question, the best first. */
export function find(
  entries: readonly SearchEntry[],
  question: string,
  limit: number,
): SearchEntry[] {
  const words = wordsOf(question).slice(0, 8);
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(words, entry) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ entry }) => entry);
}

/** The part of a text around the first word that it has. */
export function excerpt(text: string, question: string): string {
  const words = wordsOf(question);
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((at) => at !== -1);
  const first = places.length === 0 ? 0 : Math.min(...places);
  const from = first < 60 ? 0 : text.lastIndexOf(' ', first - 40) + 1;
  const rest = text.slice(from);
  const part = rest.length > 160 ? `${rest.slice(0, rest.lastIndexOf(' ', 160))} …` : rest;
  return from > 0 ? `… ${part}` : part;
}
