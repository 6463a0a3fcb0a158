import { sepaCountries } from '../../reference/sepa.ts';
import type { BankScheme } from '../bank-connection.ts';
import { paidScheme, schemePays, type PaidScheme, type PaymentFacts } from '../capabilities.ts';
import { schemeRules } from './iso20022/write-schemes.ts';

/** The countries that a scheme pays to; null where it pays to every one. */
const reachedCountries: Readonly<Record<BankScheme, readonly string[] | null>> = {
  sepa_credit_transfer: sepaCountries,
  sepa_instant: sepaCountries,
  uk_domestic: ['GB'],
  us_wire: ['US'],
  cross_border: null,
  ach: ['US'],
};

/** Nacha: ten digits of cents in an entry. */
const achRules = { currency: 'USD', largestAmount: 9_999_999_999n };

/** What a scheme of a bank pays. */
export function paidByScheme(scheme: BankScheme): PaidScheme {
  const { currency, largestAmount } = scheme === 'ach' ? achRules : schemeRules[scheme];
  return paidScheme(scheme, {
    currencies: currency === null ? null : [currency],
    countries: reachedCountries[scheme],
    largestAmountMinor: largestAmount,
  });
}

/** Whether a scheme pays any such payment at all. */
export const schemeReaches = (scheme: BankScheme, facts: PaymentFacts): boolean =>
  schemePays(paidByScheme(scheme), facts);
