import type { PaidAccount } from './port.ts';

/** Masks in a text what must not reach a log or an error. */
export type Redact = (text: string) => string;

/** Texts shaped like an identifier, whether or not the request has them: IBANs and long numbers. */
const compactIban = /\b[A-Z]{2}\d{2}[A-Z0-9]{11,30}\b/gi;
const groupedIban = /\b[A-Z]{2}\d{2}(?:[ -][A-Z0-9]{4}){2,7}(?:[ -][A-Z0-9]{1,3})?\b/g;
const longNumber = /(?<![A-Za-z0-9_])\d(?:[ -]?\d){6,}(?![A-Za-z0-9_])/g;

const escape = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Matches the characters of `value` in any case, with separators between them or none. */
function spelledAnyhow(characters: readonly string[]): RegExp {
  return new RegExp(characters.map(escape).join('[\\s./-]*'), 'gi');
}

function significant(value: string): string[] {
  return [...value.replaceAll(/[\s./-]/g, '')];
}

function mask(text: string): string {
  return `****${text.replaceAll(/[^A-Za-z0-9]/g, '').slice(-2)}`;
}

/** Masks everything shaped like a bank identifier, keeping its last two characters. */
export const redactShapes: Redact = (text) =>
  [compactIban, groupedIban, longNumber].reduce(
    (rest, shape) => rest.replaceAll(shape, mask),
    text,
  );

/** The ways a birth date is written: year first, day first, month first. */
function datePatterns(date: string): RegExp[] {
  const [year, month, day] = date.split('-');
  if (year === undefined || month === undefined || day === undefined) return [];
  return [
    [year, month, day],
    [day, month, year],
    [month, day, year],
  ].map((parts) => spelledAnyhow(parts));
}

/**
 * A redaction that knows an account: its destination's identifiers, tax number and birth date
 * are masked however they are grouped. Everything else that is shaped like an identifier is too.
 */
export function redactionFor({ destination, payee }: PaidAccount): Redact {
  const identifiers = [
    destination.accountNumber,
    destination.iban,
    destination.clabe,
    destination.pixKey,
    destination.routingCode,
    payee.taxNumber,
  ].flatMap((value) => (value === undefined || value.trim().length < 3 ? [] : [value]));
  // Longest first, so that an identifier inside another does not leave its rest behind.
  const patterns = identifiers
    .map(significant)
    .toSorted((a, b) => b.length - a.length)
    .map(spelledAnyhow);
  const dates = payee.dateOfBirth === undefined ? [] : datePatterns(payee.dateOfBirth);
  return (text) => {
    const withoutDates = dates.reduce((rest, date) => rest.replaceAll(date, '****'), text);
    return redactShapes(patterns.reduce((rest, one) => rest.replaceAll(one, mask), withoutDates));
  };
}
