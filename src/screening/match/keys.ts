import type { NamePart, ParsedName } from '../names/parse.ts';

/**
 * The keys under which a name is found, each with how much it says: consonants of a word, two words together, and
 * three letters of a word, for names with errors.
 */
export type Keys = ReadonlyMap<string, number>;

const isSearched = ({ kind }: NamePart): boolean =>
  kind === 'word' || kind === 'common' || kind === 'number';

/** More words of one name make no more pairs. */
const mostPaired = 7;

const soundOf = ({ text, skeleton }: NamePart): string => (skeleton.length < 2 ? text : skeleton);

function* trigrams(text: string): Generator<string> {
  const padded = `^${text}$`;
  for (let at = 0; at + 3 <= padded.length; at += 1) yield padded.slice(at, at + 3);
}

/** The keys of a name, of a list or of a payee. */
export function keysOf(name: ParsedName): Keys {
  const keys = new Map<string, number>();
  const words = name.parts.filter(isSearched);
  const sounds = [...new Set(words.map(soundOf))].toSorted();
  for (const sound of sounds) keys.set(`s${sound}`, 3);
  const paired = sounds.slice(0, mostPaired);
  paired.forEach((one, at) => {
    for (const other of paired.slice(at + 1)) keys.set(`p${one} ${other}`, 4);
  });
  for (const { text } of words) for (const three of trigrams(text)) keys.set(`t${three}`, 1);
  if (name.joined.length >= 5) keys.set(`j${name.joined.slice(0, 40)}`, 6);
  if (name.characters !== '') keys.set(`c${name.characters.slice(0, 20)}`, 6);
  return keys;
}

/** A number as it is compared: its letters and digits. */
export const plainNumber = (number: string): string =>
  number.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '');

/** Numbers of fewer characters identify nobody. */
const shortestNumber = 5;

/** The key under which a number is found, or null where it is too short or has no digit. */
export function numberKey(number: string): string | null {
  const plain = plainNumber(number);
  return plain.length >= shortestNumber && /\d/.test(plain) ? `n${plain.slice(0, 60)}` : null;
}
