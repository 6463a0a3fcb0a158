import { describe, expect, it } from 'vitest';
import { parseRetryAfter } from '../../src/net/retry-after.ts';

const now = Date.parse('1994-11-06T08:49:07Z');
const yearMs = 366 * 24 * 3_600_000;

describe('parseRetryAfter', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 30_000],
    ['Sun, 06 Nov 1994 08:48:37 GMT', 0], // in the past
    ['99999999999999999999', yearMs],
    ['Sun, 06 Nov 2094 08:49:37 GMT', yearMs],
  ])('reads %j as %d ms', (value, expected) => {
    expect(parseRetryAfter(value, now)).toBe(expected);
  });

  it.each([
    undefined,
    '',
    '-1',
    '1.5',
    '1e3',
    'soon',
    '2026-11-21T00:00:00Z',
    'Sun, 31 Feb 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 24:49:37 GMT',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 08:49:37 CET',
    'Sunday, 06-Nov-94 08:49:37 GMT', // RFC 850
    'Sun Nov  6 08:49:37 1994', // asctime
  ])('finds nothing in %j', (value) => {
    expect(parseRetryAfter(value, now)).toBeNull();
  });
});
