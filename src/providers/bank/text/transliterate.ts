import anyAscii from 'any-ascii';

/**
 * The characters that banks take in ISO 20022 messages of SEPA and of SWIFT's character set x
 * (European Payments Council, implementation guidelines for SEPA credit transfers, chapter 1.4).
 */
export const basicLatin = /[A-Za-z0-9/\-?:().,'+ ]/;

/** What Nacha calls alphameric: every printable character of ASCII (Nacha Operating Rules, appendix 3). */
export const printableAscii = /[ -~]/;

/** What stands for the printable ASCII that `basicLatin` lacks. All others become a full stop. */
const punctuation: Readonly<Record<string, string>> = {
  '&': '+',
  '@': '(at)',
  '"': "'",
  '`': "'",
  ';': ',',
  _: '-',
  '~': '-',
  '[': '(',
  '{': '(',
  '<': '(',
  ']': ')',
  '}': ')',
  '>': ')',
  '|': '/',
  '\\': '/',
};

/** Letters that the library leaves out because they carry the vowel that follows them. */
const carriers: Readonly<Record<string, string>> = {
  '\u0627': 'a', // Arabic alef
  '\u0671': 'a', // Arabic alef wasla
  '\u1147': 'ng', // Hangul ieung
  '\u3147': 'ng',
};

/** Stands where nothing else can, as in the conversion table of the European Payments Council. */
const unknown = '.';

export interface BankText {
  /** Holds permitted characters only, no two spaces in a row and none at the ends. May be empty. */
  readonly text: string;
  /** Letters, digits, signs and pictures that nothing could stand for; each is a full stop in the text. */
  readonly lost: readonly string[];
}

/** How the library spells a picture out: `:grinning:`. That names nobody. */
const pictureName = /^:.+:$/;

/** Pictures that are no name: emoji, their colours of skin, and the two letters that make up a flag. */
const picture = /[\p{Emoji_Modifier}\p{Regional_Indicator}]/u;

/** The place of one character in the text: '' for what only shapes others, null for what is lost. */
function written(character: string, permitted: RegExp): string | null {
  if (permitted.test(character)) return character;
  if (/[\p{Z}\p{Cc}]/u.test(character)) return ' ';
  if (picture.test(character)) return null;
  const ascii = carriers[character] ?? anyAscii(character);
  if (pictureName.test(ascii)) return null;
  if (ascii === '') return /[\p{M}\p{Cf}]/u.test(character) ? '' : null;
  return [...ascii]
    .map((sign) => (permitted.test(sign) ? sign : (punctuation[sign] ?? unknown)))
    .join('');
}

/**
 * Writes a text of any script with the characters that a bank permits. Letters of other scripts are
 * transliterated one by one with any-ascii: Müller becomes Muller, Щукин becomes Shchukin.
 * @param permitted matches one permitted character: `basicLatin` or `printableAscii`
 */
export function transliterate(value: string, permitted: RegExp): BankText {
  const lost: string[] = [];
  let text = '';
  // Composed first: o and a combining diaeresis are one letter.
  for (const character of value.normalize('NFC')) {
    const place = written(character, permitted);
    if (place === null) lost.push(character);
    text += place ?? unknown;
  }
  return { text: text.replaceAll(/ +/g, ' ').trim(), lost };
}

/** Whether a name still names somebody: it has a letter or a digit. */
export function namesSomebody(text: string): boolean {
  return /[A-Za-z0-9]/.test(text);
}
