import { unusualExponents } from '../../../generated/console-types/exponents.ts';
import { locale } from '../texts/language.ts';

/** The parts of an amount as it is shown: `1,234` and `.50`, for an amount without digits behind the point ``. */
export interface AmountParts {
  readonly whole: string;
  readonly fraction: string;
}

/** How a language writes amounts. */
export interface Marks {
  /** Between thousands. */
  readonly group: string;
  /** Before the fraction. */
  readonly decimal: string;
}

/** The marks of a locale, as CLDR has them. */
export function marksOf(tag: string): Marks {
  const parts = new Intl.NumberFormat(tag, { useGrouping: 'always' }).formatToParts(1_234.5);
  const markOf = (type: 'group' | 'decimal') => parts.find((part) => part.type === type)?.value;
  return { group: markOf('group') ?? ',', decimal: markOf('decimal') ?? '.' };
}

/** Those of files and of the interface, whoever reads them. */
export const fileMarks: Marks = { group: ',', decimal: '.' };

const ownMarks = marksOf(locale);

export const exponentOf = (currency: string): number => unusualExponents[currency] ?? 2;

/**
 * Splits an amount at its decimal mark.
 * @param minor minor units of the currency; a sum is a string, since it may be more than a number holds
 */
export function amountParts(
  minor: number | string,
  currency: string,
  { group, decimal } = ownMarks,
): AmountParts {
  const exponent = exponentOf(currency);
  const value = BigInt(minor);
  const sign = value < 0n ? '−' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(exponent + 1, '0');
  const at = digits.length - exponent;
  return {
    whole: sign + digits.slice(0, at).replaceAll(/\B(?=(?:\d{3})+$)/g, group),
    fraction: exponent === 0 ? '' : `${decimal}${digits.slice(at)}`,
  };
}

/** An amount with its currency, as text: `1,234.50 EUR`. */
export function amountText(minor: number | string, currency: string): string {
  const { whole, fraction } = amountParts(minor, currency);
  return `${whole}${fraction} ${currency}`;
}

/** An amount as it is typed, for a hint: `1,234.50`. */
export function exampleAmount(currency: string): string {
  const minor = Math.floor(1234.5 * 10 ** exponentOf(currency));
  const { whole, fraction } = amountParts(minor, currency);
  return whole + fraction;
}

/** A mark in a pattern; whoever types a space for thousands types a usual one. */
const patternOf = (mark: string): string => (/\s/.test(mark) ? '\\s' : `\\${mark}`);

/**
 * Reads an amount that a person typed, as minor units; null where it is none, or has more digits than the
 * currency. The mark that groups thousands never begins a fraction. Where a currency has three digits of a fraction,
 * `12,345` alone is refused: half of the world writes twelve so, and a thousand times as much must not leave.
 */
export function minorOf(
  text: string,
  currency: string,
  { group, decimal } = ownMarks,
): number | null {
  const exponent = exponentOf(currency);
  const between = patternOf(group);
  const amount = new RegExp(
    `^(\\d{1,3}(?:${between}\\d{3})+|\\d+)(?:${patternOf(decimal)}(\\d+))?$`,
  );
  const match = amount.exec(text.trim());
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > exponent) return null;
  const digits = whole.replaceAll(/\D/g, '');
  if (exponent > 2 && fraction === '' && digits !== whole) return null;
  const minor = Number(digits + fraction.padEnd(exponent, '0'));
  return Number.isSafeInteger(minor) ? minor : null;
}
