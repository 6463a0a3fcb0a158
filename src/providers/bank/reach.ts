import { isSepaCountry } from '../../reference/sepa.ts';
import type { BankScheme } from '../bank-connection.ts';
import { schemeRules } from './iso20022/write-schemes.ts';

/** What is known of payments before their payees are looked at. */
export interface PaymentFacts {
  /** Of the payee's account, ISO 3166-1 alpha-2; null stands for any. */
  readonly country: string | null;
  /** ISO 4217; null stands for any. */
  readonly currency: string | null;
  /** Minor units of `currency`; of several payments, the smallest. */
  readonly amountMinor: bigint;
}

/** The countries that a scheme pays to; `cross_border` pays to every one. */
const reachedCountry: Readonly<Record<BankScheme, (country: string) => boolean>> = {
  sepa_credit_transfer: isSepaCountry,
  sepa_instant: isSepaCountry,
  uk_domestic: (country) => country === 'GB',
  us_wire: (country) => country === 'US',
  cross_border: () => true,
  ach: (country) => country === 'US',
};

/** Nacha: ten digits of cents in an entry. */
const achRules = { currency: 'USD', largestAmount: 9_999_999_999n };

/** Whether a scheme pays any such payment at all. */
export function schemeReaches(scheme: BankScheme, facts: PaymentFacts): boolean {
  const { currency, largestAmount } = scheme === 'ach' ? achRules : schemeRules[scheme];
  return (
    (currency === null || currency === (facts.currency ?? currency)) &&
    facts.amountMinor <= largestAmount &&
    (facts.country === null || reachedCountry[scheme](facts.country))
  );
}
