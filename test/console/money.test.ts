import { expect, test } from 'vitest';
import { minorOf } from '../../console/src/values/money.ts';

test.each([
  ['1234.50', 'EUR', 123_450],
  ['1,234.5', 'EUR', 123_450],
  ['1,234', 'EUR', 123_400],
  ['1,234', 'JPY', 1_234],
  ['12,345.000', 'BHD', 12_345_000],
  ['12345', 'BHD', 12_345_000],
])('%s %s is %d minor units', (text, currency, minor) => {
  expect(minorOf(text, currency)).toBe(minor);
});

test.each([
  ['12,345', 'BHD'],
  ['12,50', 'EUR'],
  ['1.234', 'EUR'],
  ['12.5', 'JPY'],
  ['-1.00', 'EUR'],
  ['1e3', 'EUR'],
  ['\u{661}\u{662}', 'EUR'],
])('%s %s is no amount, or may be another one', (text, currency) => {
  expect(minorOf(text, currency)).toBeNull();
});
