import anyAscii from 'any-ascii';

/** Scripts that leave most vowels out: such words are compared by their consonants. */
const abjad = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}]/u;

/** Scripts in which any-ascii writes each character as a syllable with a capital. */
const syllabic = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Letters that any-ascii leaves out because they carry the vowel that follows them. */
const carriers: Readonly<Record<string, string>> = {
  '\u0622': 'a',
  '\u0623': 'a',
  '\u0625': 'i',
  '\u0627': 'a',
  '\u0639': 'a',
  '\u0671': 'a',
  '\u05d0': 'a',
};

const wholeSyllabic =
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u;

/** Whether a text has no characters but those that stand for a syllable or a word. */
export const isSyllabic = (text: string): boolean => wholeSyllabic.test(text);

export interface LatinWord {
  /** Lower-case letters and digits of ASCII. */
  readonly text: string;
  /** Written in a script that leaves most vowels out. */
  readonly consonantal: boolean;
}

function latin(word: string): string {
  let text = '';
  for (const sign of word) text += carriers[sign] ?? anyAscii(sign);
  return text;
}

const cleaned = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '');

const plainAscii = /^[a-z0-9]*$/i;

/** A word of any script in Latin letters: several words where each of its characters is one. */
export function toLatin(word: string): LatinWord[] {
  if (plainAscii.test(word)) return [{ text: word.toLowerCase(), consonantal: false }];
  const consonantal = abjad.test(word);
  const text = latin(word.normalize('NFC'));
  const parts = syllabic.test(word) ? text.split(/(?=[A-Z])/) : [text];
  return parts
    .map((part) => ({ text: cleaned(part), consonantal }))
    .filter((part) => part.text !== '');
}
