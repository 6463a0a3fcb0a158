import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { currencyCodes, currencyExponent, isCurrency } from '../../src/reference/currencies.ts';

// zod carries ISO 4217's whole list; these of it are not money that a payee can receive.
const metals = ['XAG', 'XAU', 'XPD', 'XPT'];
const funds = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI'];
const bondsAndUnits = ['XAD', 'XBA', 'XBB', 'XBC', 'XBD', 'XDR', 'XSU', 'XUA'];
const others = ['XTS', 'X'.repeat(3)];
const notPayable = new Set([...metals, ...funds, ...bondsAndUnits, ...others]);

describe('the currency table', () => {
  it('is the ISO list without metals, funds, units of account and testing codes', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
    const all = alphabet.flatMap((a) => alphabet.flatMap((b) => alphabet.map((c) => a + b + c)));
    const iso = all.filter((code) => z.currencyCode().safeParse(code).success);
    expect(currencyCodes).toEqual(iso.filter((code) => !notPayable.has(code)));
    expect(new Set(currencyCodes).size).toBe(currencyCodes.length);
  });

  it('has the exponents of ISO, which Intl does not follow for some currencies', () => {
    const differs = new Map<string, number>();
    for (const code of currencyCodes) {
      const intl = new Intl.NumberFormat('en', { style: 'currency', currency: code });
      const digits = intl.resolvedOptions().maximumFractionDigits;
      const exponent = currencyExponent(code);
      if (digits !== exponent) differs.set(code, exponent ?? -1);
    }
    // The CLDR rounds away minor units that are worth nothing in shops; ISO still has them.
    const twoInIso = 'AFN ALL HUF IDR IRR KPW LAK LBP MGA MMK PKR RSD SOS SYP YER'.split(' ');
    for (const [code, exponent] of differs) {
      expect([code, exponent]).toEqual([code, code === 'IQD' ? 3 : 2]);
      expect(['IQD', ...twoInIso, 'COP', 'CRC', 'AMD', 'TZS', 'UZS', 'MUR', 'GYD']).toContain(code);
    }
  });

  it.each([
    ['JPY', 0],
    ['KRW', 0],
    ['ISK', 0],
    ['XAF', 0],
    ['USD', 2],
    ['EUR', 2],
    ['MGA', 2],
    ['MRU', 2],
    ['KWD', 3],
    ['IQD', 3],
    ['TND', 3],
    ['UYW', 4],
  ])('%s has exponent %i', (code, exponent) => {
    expect(currencyExponent(code)).toBe(exponent);
  });

  it('knows no other codes', () => {
    for (const code of [...notPayable, 'usd', 'HRK', 'ANG', 'ZWL', '', 'US', 'toString']) {
      expect(isCurrency(code)).toBe(false);
      expect(currencyExponent(code)).toBeNull();
    }
  });
});
