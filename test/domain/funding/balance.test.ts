import { expect, it } from 'vitest';
import { toBalance, type BalanceInput } from '../../../src/domain/funding/balance.ts';
import { DomainError } from '../../../src/errors/domain-error.ts';

const balance = (availableBalanceMinor: BalanceInput['availableBalanceMinor'], currency = 'USD') =>
  toBalance({ availableBalanceMinor, currency });

it.each([
  [0, 0n],
  [5n, 5n],
  [999_999_999_999, 999_999_999_999n],
])('takes %s minor units', (given, minor) => {
  expect(balance(given)).toEqual({ minor, currency: 'USD' });
});

it.each([
  ['-1', -1, 'USD'],
  ['a trillion', 1_000_000_000_000n, 'USD'],
  ['a fraction', 0.5, 'USD'],
  ['a text', '5', 'USD'],
  ['more than a number holds', Infinity, 'USD'],
  ['no currency', 5, ''],
  ['an unknown currency', 5, 'XXX'],
  ['a currency in small letters', 5, 'usd'],
])('refuses %s as INVALID_MONEY', (_what, minor, currency) => {
  expect(() => balance(minor, currency)).toThrow(DomainError);
  expect(() => balance(minor, currency)).toThrow(
    expect.objectContaining({ code: 'INVALID_MONEY' }),
  );
});
