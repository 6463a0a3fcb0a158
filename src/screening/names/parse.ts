import type { EntryType } from '../lists/entry.ts';
import { beginsForm, formOfPhrase, longestForm } from './company-forms.ts';
import { skeleton } from './skeleton.ts';
import { isSyllabic, toLatin, type LatinWord } from './transliterate.ts';
import {
  companyWord,
  givenNames,
  isHalfTitle,
  isStopWord,
  isTitle,
  numberOfWord,
  particle,
} from './vocabulary.ts';

/** What a word of a name is. */
export type PartKind = 'word' | 'initial' | 'number' | 'common' | 'particle' | 'form';

/** A word of a name, as it is compared. */
export interface NamePart {
  /** Lower-case letters and digits of ASCII; the class of a legal form, and a number in digits. */
  readonly text: string;
  readonly kind: PartKind;
  /** How much the word says of who it is; 1 for a given name. */
  readonly weight: number;
  readonly skeleton: string;
  /** Written in a script that leaves most vowels out. */
  readonly consonantal: boolean;
  /** The meaning of a common word, or null. */
  readonly meaning: string | null;
  readonly groups: readonly number[];
  /** Which letters it has, a bit each. */
  readonly letters: number;
}

export interface ParsedName {
  /** As it was written. */
  readonly name: string;
  readonly parts: readonly NamePart[];
  /** All words but legal forms in one. */
  readonly joined: string;
  /** All words in one, legal forms as they were written. */
  readonly whole: string;
  /** The characters of a name that has none but those that stand for a syllable or a word; empty for another name. */
  readonly characters: string;
}

const none: readonly number[] = [];

/** Letters from the first bit on; digits share those that are left. */
function lettersOf(text: string): number {
  let letters = 0;
  for (let at = 0; at < text.length; at += 1) letters |= 1 << ((text.charCodeAt(at) - 97) % 32);
  return letters;
}

function part(kind: PartKind, word: LatinWord, weight: number, meaning: string | null): NamePart {
  return {
    text: word.text,
    kind,
    weight,
    skeleton: skeleton(word.text),
    consonantal: word.consonantal,
    meaning,
    groups: givenNames.get(word.text) ?? none,
    letters: lettersOf(word.text),
  };
}

/** Letters with points between them are one word in a company's name: `A.B.C.`, `G.m.b.H.` */
const pointed = /(?<![\p{L}\p{N}])(?:\p{L}\.){2,}(?:\p{L}(?![\p{L}\p{N}]))?/gu;

function words(name: string, isPerson: boolean): LatinWord[] {
  const text = name.normalize('NFKC').replaceAll(/['’‘`ʼʻʿʾ´]/g, '');
  const joined = isPerson ? text : text.replaceAll(pointed, (found) => found.replaceAll('.', ''));
  return joined
    .replaceAll('&', ' and ')
    .replaceAll('@', 'a')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .flatMap((word) => (word === '' ? [] : toLatin(word)));
}

/** How much a word weighs by its length: two letters say less than a name. */
function lengthWeight({ length }: string): number {
  if (length === 1) return 0.4;
  return length === 2 ? 0.75 : 1;
}

function personPart(word: LatinWord, place: number): NamePart | null {
  const { text } = word;
  if (isTitle.has(text)) return null;
  const article = particle.get(text);
  // Ben is a given name at the beginning, and a son elsewhere.
  const isGiven = place === 0 && givenNames.has(text);
  if (article !== undefined && !isGiven)
    return part('particle', { ...word, text: article }, 0.2, article);
  if (isHalfTitle.has(text)) return part('common', word, 0.4, null);
  if (text.length === 1) return part('initial', word, lengthWeight(text), null);
  return part('word', word, lengthWeight(text), null);
}

function companyPart(word: LatinWord): NamePart {
  const { text } = word;
  const number = numberOfWord(text);
  if (number !== null) return part('number', { ...word, text: String(number) }, 0.8, null);
  const meaning = companyWord.get(text);
  if (meaning !== undefined) return part('common', word, 0.35, meaning);
  if (isStopWord.has(text)) return part('particle', word, 0.05, null);
  return part('word', word, text.length === 1 ? 0.5 : 1, null);
}

/** `forty four` is one number. */
function withNumbersJoined(parts: readonly NamePart[]): NamePart[] {
  const joined: NamePart[] = [];
  for (const one of parts) {
    const before = joined.at(-1);
    const isSum =
      before?.kind === 'number' &&
      one.kind === 'number' &&
      /^[2-9]0$/.test(before.text) &&
      /^[1-9]$/.test(one.text);
    if (!isSum) joined.push(one);
    else {
      const text = String(Number(before.text) + Number(one.text));
      joined.splice(-1, 1, { ...before, text, skeleton: text, letters: lettersOf(text) });
    }
  }
  return joined;
}

interface Forms {
  readonly rest: readonly LatinWord[];
  readonly forms: readonly NamePart[];
}

/** Takes legal forms out: the longest first, and never all of a name. */
function takeForms(found: readonly LatinWord[]): Forms {
  const rest: LatinWord[] = [];
  const forms: NamePart[] = [];
  for (let at = 0; at < found.length;) {
    const length = formAt(found, at);
    if (length === 0 || (rest.length === 0 && at + length === found.length)) {
      rest.push(found[at] ?? { text: '', consonantal: false });
      at += 1;
      continue;
    }
    const phrase = phraseOf(found, at, length);
    const form = formOfPhrase.get(phrase) ?? phrase;
    forms.push(part('form', { text: form, consonantal: false }, 0.12, form));
    at += length;
  }
  return { rest, forms };
}

const phraseOf = (found: readonly LatinWord[], at: number, length: number): string =>
  found
    .slice(at, at + length)
    .map(({ text }) => text)
    .join(' ');

/** How many words from here on are a legal form; a word of two letters only at the beginning or the end. */
function formAt(found: readonly LatinWord[], at: number): number {
  if (!beginsForm.has(found[at]?.text ?? '')) return 0;
  for (let length = Math.min(longestForm, found.length - at); length > 0; length -= 1) {
    const phrase = phraseOf(found, at, length);
    if (!formOfPhrase.has(phrase)) continue;
    const inside = at > 0 && at + length < found.length && formAt(found, at + length) === 0;
    if (phrase.length > 3 || !inside) return length;
  }
  return 0;
}

const presentOnly = (parts: readonly (NamePart | null)[]): NamePart[] =>
  parts.filter((one) => one !== null);

const separators = /[\s\p{P}]+/gu;

function charactersOf(name: string): string {
  const characters = name.normalize('NFKC').replaceAll(separators, '');
  return isSyllabic(characters) ? characters : '';
}

/**
 * Takes a name of any script apart.
 *
 * @param type what the name is of; one of nobody knows what is read as a company's, where words weigh by their meaning
 */
export function parseName(name: string, type: EntryType): ParsedName {
  const isPerson = type === 'person';
  const found = words(name, isPerson);
  const { rest, forms } = isPerson ? { rest: found, forms: [] } : takeForms(found);
  const parts = isPerson
    ? presentOnly(rest.map(personPart))
    : withNumbersJoined(rest.map(companyPart));
  // A name of nothing but titles or stop words is compared by them.
  const kept = parts.length > 0 ? parts : rest.map((word) => part('word', word, 1, null));
  return {
    name,
    parts: [...kept, ...forms],
    joined: kept.map(({ text }) => text).join(''),
    whole: found.map(({ text }) => text).join(''),
    characters: charactersOf(name),
  };
}
