import { expect, it } from 'vitest';
import type { BankScheme } from '../../../src/providers/bank-connection.ts';
import { schemeReaches } from '../../../src/providers/bank/reach.ts';

it.each<[BankScheme, string, string, bigint]>([
  ['sepa_credit_transfer', 'DE', 'EUR', 99_999_999_999n],
  ['us_wire', 'US', 'USD', 999_999_999_999n],
  ['ach', 'US', 'USD', 9_999_999_999n],
])('%s pays to %s in %s as much as its files can hold, and not more', (scheme, ...given) => {
  const [country, currency, amountMinor] = given;
  const facts = { country, currency, amountMinor };
  expect(schemeReaches(scheme, facts)).toBe(true);
  expect(schemeReaches(scheme, { ...facts, amountMinor: amountMinor + 1n })).toBe(false);
  expect(schemeReaches(scheme, { ...facts, country: 'JP' })).toBe(false);
  expect(schemeReaches(scheme, { ...facts, currency: 'JPY' })).toBe(false);
});
