import { expect, test } from 'vitest';
import { contentHash } from '../../src/crypto/canonical.ts';

const same = (a: unknown, b: unknown): boolean => contentHash(a).equals(contentHash(b));

test.each([
  ['the order of keys', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
  ['absent and null', { a: 1 }, { a: 1, b: null }],
  ['absent and undefined', { a: 1 }, { a: 1, b: undefined }],
  ['absent and null further in', { a: { b: 1 } }, { a: { b: 1, c: null } }],
  ['absent and null in a list', [{ a: 1 }], [{ a: 1, b: null }]],
  ['an integer of either kind', { a: 5n }, { a: 5 }],
])('does not tell %s', (_name, a, b) => {
  expect(same(a, b)).toBe(true);
});

test.each([
  ['another value', { a: 1 }, { a: 2 }],
  ['another key', { a: 1 }, { b: 1 }],
  ['a number and its text', { a: 1 }, { a: '1' }],
  ['null and its text', [null], ['null']],
  ['nothing and an empty text', {}, { a: '' }],
  ['nothing and false', {}, { a: false }],
  ['nothing and zero', {}, { a: 0 }],
  ['the order of a list', [1, 2], [2, 1]],
  ['a list and one with a gap', [1], [1, null]],
  ['where a value stands', { a: { b: 1 } }, { a: {}, b: 1 }],
  ['a text that looks like two members', { a: '1","b":"2' }, { a: '1', b: '2' }],
])('tells %s', (_name, a, b) => {
  expect(same(a, b)).toBe(false);
});
