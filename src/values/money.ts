import { currencyExponent, isCurrency } from '../reference/currencies.ts';

/** The largest payout in minor units. Twelve digits stay far below 2^53, so JSON numbers are exact. */
export const maximumAmountMinor = 999_999_999_999;

/**
 * Says what is wrong with an amount, or null when it is good. Callers throw `INVALID_MONEY` with
 * the sentence. It takes raw input, because a wrong type is a wrong amount too: strings and fractions
 * are refused, never converted.
 * @param amountMinor minor units of `currency`, an integer from 1 to `maximum`
 * @param currency an ISO 4217 code in upper case
 */
export function moneyProblem(
  amountMinor: unknown,
  currency: unknown,
  maximum = maximumAmountMinor,
): string | null {
  if (typeof currency !== 'string' || !isCurrency(currency)) {
    return 'currency must be an active ISO 4217 currency code.';
  }
  if (!Number.isInteger(amountMinor) && typeof amountMinor !== 'bigint') {
    return 'amount_minor must be an integer number of minor units.';
  }
  if (Number(amountMinor) < 1 || Number(amountMinor) > maximum) {
    return `amount_minor must be from 1 to ${maximum}.`;
  }
  return null;
}

/**
 * The exact decimal string in major units, with as many digits after the point as the currency
 * has: 1234567n of USD is `12345.67`, of JPY `1234567`, of KWD `1234.567`, of UYW `123.4567`.
 * Works on the digits; no binary fraction ever exists. Throws RangeError for an unknown currency.
 */
export function toDecimalString(amountMinor: bigint, currency: string): string {
  const exponent = currencyExponent(currency);
  if (exponent === null) throw new RangeError('unknown currency');
  if (exponent === 0) return amountMinor.toString();
  const sign = amountMinor < 0n ? '-' : '';
  const magnitude = amountMinor < 0n ? -amountMinor : amountMinor;
  const digits = magnitude.toString().padStart(exponent + 1, '0');
  return `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}
