import { amountOf, formatAmount } from './amount.ts';
import type { Order } from './model.ts';

/** What one unit of a currency is worth in euro, in ten-thousandths. Of every other currency it is one euro. */
const euros: Readonly<Record<string, bigint>> = {
  USD: 9_000n,
  GBP: 11_500n,
  CHF: 10_500n,
  SEK: 900n,
  NOK: 850n,
  DKK: 1_340n,
  PLN: 2_300n,
  CZK: 400n,
  HUF: 25n,
  JPY: 60n,
  ISK: 70n,
  KWD: 29_000n,
};
const par = 10_000n;

/** Units of the fifth decimal place in the smallest part of a currency. */
function smallest(currency: string): bigint {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const places = format.resolvedOptions().maximumFractionDigits ?? 2;
  return 10n ** BigInt(Math.max(0, 5 - places));
}

/** What an order costs its account, in the account's currency: at fixed rates, to the nearest smallest part of it. */
export function costOf(
  order: Pick<Order, 'amount' | 'currency' | 'account_currency'>,
): Pick<Order, 'amount' | 'currency'> {
  const { amount, currency, account_currency: own } = order;
  if (own === currency) return { amount, currency };
  const part = smallest(own);
  const worth = amountOf(amount) * (euros[currency] ?? par);
  const divisor = (euros[own] ?? par) * part;
  const parts = (worth + divisor / 2n) / divisor;
  return { amount: formatAmount((parts > 0n ? parts : 1n) * part), currency: own };
}
