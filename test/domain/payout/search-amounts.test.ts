import { expect, test } from 'vitest';
import { amountsMeant } from '../../../src/domain/payout/search/amounts.ts';

const inCurrency = (text: string, currency: string): number[] =>
  amountsMeant(text)
    .filter((meant) => meant.currency === currency)
    .map(({ amountMinor }) => amountMinor);

test.each([
  ['1234.50', 'USD', [123_450]],
  ['1,234.50', 'USD', [123_450]],
  ['1.234,50', 'EUR', [123_450]],
  ['1 234,5', 'EUR', [123_450]],
  ['1’234.50', 'CHF', [123_450]],
  ['12', 'JPY', [12]],
  ['12', 'USD', [1_200]],
  ['12', 'KWD', [12_000]],
  // A group of three and three decimals look the same.
  ['1,234', 'KWD', [1_234_000, 1_234]],
  ['1,234', 'USD', [123_400]],
  ['12.5', 'JPY', []],
  ['0', 'USD', []],
  ['99999999999999', 'USD', []],
])('%s in %s', (text, currency, expected) => {
  expect(inCurrency(text, currency)).toEqual(expected);
});

test('a currency that is named is the only one', () => {
  const expected = [{ currency: 'EUR', amountMinor: 1_250 }];
  for (const text of ['12.50 EUR', 'EUR 12.50', '12,50eur']) {
    expect(amountsMeant(text)).toEqual(expected);
  }
});

test('a symbol stands for each currency that is written with it', () => {
  for (const text of ['€1.234,50', '1 234,50 €', '1234.5€']) {
    expect(amountsMeant(text)).toEqual([{ currency: 'EUR', amountMinor: 123_450 }]);
  }
  const dollars = amountsMeant('$ 7').map(({ currency }) => currency);
  expect(dollars).toEqual(expect.arrayContaining(['CAD', 'MXN', 'USD']));
  expect(dollars).not.toContain('EUR');
  expect(amountsMeant('$7 EUR')).toEqual([]);
});

test.each([
  '',
  'Ada',
  'pay_01',
  '12.50 XXX',
  'EUR 12 EUR',
  '1.2.3',
  '1,23,4',
  '-5',
  '12.50 EUR more',
])('%j is no amount', (text) => {
  expect(amountsMeant(text)).toEqual([]);
});
