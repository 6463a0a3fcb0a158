import type { Check } from '../write-problems.ts';
import { namesSomebody, transliterate } from './transliterate.ts';

/** Which characters a format permits, and how many of them. */
export interface FieldLength {
  readonly permitted: RegExp;
  readonly longest: number;
}

/** Characters as they are looked up: `U+39DD`. */
function codePoints(characters: readonly string[]): string {
  const hex = (one: string) => (one.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return characters.map((one) => `U+${hex(one).padStart(4, '0')}`).join(', ');
}

/**
 * A text that describes, such as the line of an address or a message to the payee: it is
 * transliterated and cut at the end, and both are noted. Empty where nothing was given.
 */
export function fitText(
  value: string | undefined,
  field: string,
  room: FieldLength,
  check: Check,
): string {
  if (value === undefined) return '';
  const { text } = transliterate(value, room.permitted);
  if (text !== value) check.change(field, 'transliterated');
  if (text.length <= room.longest) return text;
  check.change(field, 'shortened');
  return text.slice(0, room.longest).trimEnd();
}

/**
 * A name or a town, which must still name somebody or something: it is refused as `unwritable` when a
 * letter has no transliteration or no letter or digit is left, and as `missing` when none was given.
 */
export function fitName(value: string, field: string, room: FieldLength, check: Check): string {
  if (value.trim() === '') {
    check.refuse(field, 'missing');
    return '';
  }
  const { lost } = transliterate(value, room.permitted);
  const text = fitText(value, field, room, check);
  if (lost.length > 0) check.refuse(field, 'unwritable', `${codePoints(lost)}.`);
  else if (!namesSomebody(text)) check.refuse(field, 'unwritable');
  return text;
}

/** A code that means something else when it is cut, such as a postal code: too long is refused. */
export function fitCode(
  value: string | undefined,
  field: string,
  room: FieldLength,
  check: Check,
): string {
  if (value === undefined) return '';
  const { text } = transliterate(value, room.permitted);
  if (text !== value) check.change(field, 'transliterated');
  if (text.length > room.longest) check.refuse(field, 'too_long', `At most ${room.longest}.`);
  return text;
}
