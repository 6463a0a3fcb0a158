import { currencyExponent } from '../../reference/currencies.ts';

/** An amount as a bank states it: never negative, its direction stands beside it. */
export interface Money {
  /** Minor units of `currency`. */
  readonly minor: bigint;
  /** ISO 4217. */
  readonly currency: string;
}

/** What keeps a decimal from being an amount. */
export type AmountFault = 'bad_value' | 'amount_precision' | 'unknown_currency';

/** As many digits as ISO 20022 gives an amount, so that the minor units of every currency fit a 64-bit integer. */
const mostDigits = 18;

/**
 * The exact minor units of a decimal of ISO 20022 (`totalDigits` 18, `fractionDigits` 5, no sign). Zeros
 * beyond the currency's own places are no fault: `8.850` EUR is 885n, `8.855` EUR is `amount_precision`.
 */
export function moneyOfDecimal(decimal: string, currency: string): Money | AmountFault {
  const exponent = currencyExponent(currency);
  if (exponent === null) return 'unknown_currency';
  const match = /^\+?(\d{0,18})(?:\.(\d{0,18}))?$/.exec(decimal);
  const [, whole = '', fraction = ''] = match ?? [];
  if (whole + fraction === '') return 'bad_value';
  const rest = fraction.slice(exponent);
  if (/[1-9]/.test(rest)) return 'amount_precision';
  const digits = (whole + fraction.slice(0, exponent).padEnd(exponent, '0')).replace(/^0+/, '');
  if (digits.length > mostDigits) return 'bad_value';
  return { minor: BigInt(digits === '' ? '0' : digits), currency };
}
