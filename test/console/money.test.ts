import { expect, test } from 'vitest';
import { amountParts, fileMarks, marksOf, minorOf } from '../../console/src/values/money.ts';

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

test.each([
  ['en-GB', '1,234,567.89', '1,234.50'],
  ['de-DE', '1.234.567,89', '1.234,50'],
  ['fr-FR', '1\u{202f}234\u{202f}567,89', '1\u{202f}234,50'],
  ['es-ES', '1.234.567,89', '1.234,50'],
  ['pt-BR', '1.234.567,89', '1.234,50'],
])('an amount in %s is written by its marks, and read by them', (tag, large, small) => {
  const marks = marksOf(tag);
  const written = (minor: number, currency: string) => {
    const { whole, fraction } = amountParts(minor, currency, marks);
    return whole + fraction;
  };
  expect(written(123_456_789, 'EUR')).toBe(large);
  expect(written(-123_450, 'EUR')).toBe(`−${small}`);
  expect(minorOf(large, 'EUR', marks)).toBe(123_456_789);
  expect(minorOf(written(12_345_678, 'BHD'), 'BHD', marks)).toBe(12_345_678);
  expect(minorOf(written(1_234, 'JPY'), 'JPY', marks)).toBe(1_234);
});

test('what groups thousands in one language is no fraction in another', () => {
  const german = marksOf('de-DE');
  expect(minorOf('1.234', 'EUR', german)).toBe(123_400);
  expect(minorOf('12,50', 'EUR', german)).toBe(1_250);
  expect(minorOf('12.50', 'EUR', german)).toBeNull();
  expect(minorOf('1,234', 'EUR', german)).toBeNull();
  expect(minorOf('12.345', 'BHD', german)).toBeNull();
  expect(minorOf('1 234,5', 'EUR', marksOf('fr-FR'))).toBe(123_450);
  expect(minorOf('1234.5', 'EUR', fileMarks)).toBe(123_450);
});
