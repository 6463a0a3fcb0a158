import { unusualExponents } from '../../../generated/console-types/exponents.ts';

/** The parts of an amount as it is shown: `1,234` and `.50`, for an amount without digits behind the point ``. */
export interface AmountParts {
  readonly whole: string;
  readonly fraction: string;
}

export const exponentOf = (currency: string): number => unusualExponents[currency] ?? 2;

const grouped = (digits: string): string => digits.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');

/**
 * Splits an amount at its decimal point.
 * @param minor minor units of the currency; a sum is a string, since it may be more than a number holds
 */
export function amountParts(minor: number | string, currency: string): AmountParts {
  const exponent = exponentOf(currency);
  const value = BigInt(minor);
  const sign = value < 0n ? '−' : '';
  const digits = (value < 0n ? -value : value).toString().padStart(exponent + 1, '0');
  const at = digits.length - exponent;
  return {
    whole: sign + grouped(digits.slice(0, at)),
    fraction: exponent === 0 ? '' : `.${digits.slice(at)}`,
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

/**
 * Reads an amount that a person typed, as minor units; null where it is none, or has more digits than the
 * currency. A comma groups thousands and never begins a fraction. Where a currency has three digits of a fraction,
 * `12,345` alone is refused: half of the world writes twelve so, and a thousand times as much must not leave.
 */
export function minorOf(text: string, currency: string): number | null {
  const exponent = exponentOf(currency);
  const match = /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d+))?$/.exec(text.trim());
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  if (fraction.length > exponent) return null;
  if (exponent > 2 && fraction === '' && whole.includes(',')) return null;
  const minor = Number(whole.replaceAll(',', '') + fraction.padEnd(exponent, '0'));
  return Number.isSafeInteger(minor) ? minor : null;
}
