import { expect, it } from 'vitest';
import {
  abilitiesOf,
  canPay,
  paidScheme,
  unpayablePart,
  type Capabilities,
  type PaymentFacts,
} from '../../src/providers/capabilities.ts';
import { connectStripe } from './stripe/subject.ts';

const capabilities: Capabilities = {
  pays: [
    paidScheme('local', { currencies: ['GBP'], countries: ['GB'], largestAmountMinor: 500n }),
    paidScheme('abroad', { exceptCurrencies: ['ISK'] }),
  ],
  can: abilitiesOf('enrolls'),
};
const [local] = capabilities.pays;
const localAlone: Capabilities = { ...capabilities, pays: local === undefined ? [] : [local] };

it('says what the abilities of an adapter are, and that it has no others', () => {
  expect(capabilities.can).toMatchObject({ enrolls: true, tellsFees: false, checksNames: false });
});

it('pays what one of the schemes pays', () => {
  const facts = { country: 'GB', currency: 'GBP', amountMinor: 500n };
  expect(canPay(localAlone, facts)).toBe(true);
  expect(canPay(localAlone, { ...facts, amountMinor: 501n })).toBe(false);
  expect(canPay(localAlone, { ...facts, country: 'FR' })).toBe(false);
  expect(canPay(capabilities, { ...facts, amountMinor: 501n })).toBe(true);
  expect(canPay(capabilities, { ...facts, currency: 'ISK' })).toBe(false);
  expect(canPay({ ...capabilities, pays: [] }, facts)).toBe(false);
});

it('takes what is not known of a payment for anything', () => {
  expect(canPay(localAlone, { country: null, currency: null, amountMinor: 0n })).toBe(true);
});

it('names the part of a route that the provider cannot pay', () => {
  const any = { country: null, currency: null, amountMinor: 0n };
  const partOf = (facts: Partial<PaymentFacts>) => unpayablePart(localAlone, { ...any, ...facts });
  expect(partOf({})).toBeNull();
  expect(partOf({ currency: 'EUR' })).toBe('currency');
  expect(partOf({ currency: 'GBP', country: 'FR' })).toBe('country');
  expect(partOf({ currency: 'GBP', country: 'GB', amountMinor: 501n })).toBe('amount');
});

it('knows of each network of Stripe what the account holds and where it may pay to', async () => {
  const stripe = connectStripe('http://127.0.0.1:9', {
    STRIPE_CURRENCIES: ['USD', 'EUR', 'ISK'],
    STRIPE_COUNTRIES: ['DE', 'US'],
  });
  await stripe.close();
  const pays = stripe.capabilities.pays.map(({ scheme, currencies, countries }) => [
    scheme,
    currencies?.join(),
    countries?.join(),
  ]);
  expect(pays).toEqual([
    ['ach', 'USD', 'US'],
    ['fedwire', 'USD', 'US'],
    ['rtp', 'USD', 'US'],
    ['sepa', 'EUR', 'DE'],
    ['swift', 'USD,EUR', 'DE,US'],
  ]);
});
