import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maximumAmountMinor, moneyProblem, toDecimalString } from '../../src/values/money.ts';
import { currencyCodes, currencyExponent } from '../../src/reference/currencies.ts';

const anyCurrency = fc.constantFrom(...currencyCodes);

describe('moneyProblem', () => {
  it('takes every integer from 1 to 999,999,999,999 of a known currency', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: maximumAmountMinor }), anyCurrency, (amount, code) => {
        expect(moneyProblem(amount, code)).toBeNull();
        expect(moneyProblem(BigInt(amount), code)).toBeNull();
      }),
    );
    expect(moneyProblem(1, 'USD')).toBeNull();
    expect(moneyProblem(999_999_999_999, 'USD')).toBeNull();
  });

  it.each([
    [0],
    [-1],
    [-0],
    [1_000_000_000_000],
    [Number.MAX_SAFE_INTEGER + 1],
    [0n],
    [10n ** 40n],
    [1.5],
    [0.1 + 0.2],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    ['100'],
    [''],
    [true],
    [null],
    [undefined],
    [[100]],
    [{ valueOf: () => 100 }],
  ])('refuses the amount %s', (amount) => {
    expect(moneyProblem(amount, 'USD')).toMatch(/^amount_minor/);
  });

  it.each([['usd'], ['ABC'], ['XAU'], [''], [null], [undefined], [840], [['USD']]])(
    'refuses the currency %s',
    (currency) => {
      expect(moneyProblem(100, currency)).toMatch(/^currency/);
    },
  );
});

describe('toDecimalString', () => {
  it.each([
    [1_234_567n, 'JPY', '1234567'],
    [1_234_567n, 'USD', '12345.67'],
    [1_234_567n, 'KWD', '1234.567'],
    [1_234_567n, 'UYW', '123.4567'],
    [1n, 'JPY', '1'],
    [1n, 'USD', '0.01'],
    [10n, 'USD', '0.10'],
    [100n, 'USD', '1.00'],
    [1n, 'KWD', '0.001'],
    [1n, 'UYW', '0.0001'],
    [0n, 'USD', '0.00'],
    [-5n, 'USD', '-0.05'],
    [-12_345n, 'KWD', '-12.345'],
    [999_999_999_999n, 'USD', '9999999999.99'],
  ])('writes %s of %s as %s', (amount, currency, text) => {
    expect(toDecimalString(amount, currency)).toBe(text);
  });

  it('loses nothing: removing the point gives the amount back, at any size', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
        anyCurrency,
        (amount, code) => {
          const text = toDecimalString(amount, code);
          const fraction = text.split('.')[1] ?? '';
          expect(fraction).toHaveLength(currencyExponent(code) ?? -1);
          expect(text).toMatch(/^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?$/);
          expect(BigInt(text.replace('.', ''))).toBe(amount);
        },
      ),
    );
  });

  it('refuses an unknown currency', () => {
    expect(() => toDecimalString(1n, 'ABC')).toThrow(RangeError);
  });
});
