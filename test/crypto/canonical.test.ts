import { expect, it } from 'vitest';
import { contentHash } from '../../src/crypto/canonical.ts';

const same = (a: unknown, b: unknown): boolean => contentHash(a).equals(contentHash(b));

it('is the same for the same content, whatever the order of the keys at any depth', () => {
  expect(
    same({ a: 1, b: { c: [{ d: 2, e: 3 }], f: 4 } }, { b: { f: 4, c: [{ e: 3, d: 2 }] }, a: 1 }),
  ).toBe(true);
});

it('takes absent and null for the same', () => {
  expect(same({ a: null, b: 1, c: undefined }, { b: 1 })).toBe(true);
});

it.each<[unknown, unknown]>([
  [{ a: 1 }, { a: 2 }],
  [{ a: 1 }, { b: 1 }],
  [{ a: 1 }, { a: '1' }],
  [{ a: 'true' }, { a: true }],
  [{ a: 'null' }, {}],
  [{ a: '' }, {}],
  [{ a: [1, 2] }, { a: [2, 1] }],
  [{ a: ['1,2'] }, { a: ['1', '2'] }],
  [{ a: [] }, {}],
  [{ a: { b: 1 } }, { 'a:{b': 1 }],
  [{ 'a":1,"b': 2 }, { a: 1, b: 2 }],
  [{ 'a:1,b': 2 }, { a: 1, b: 2 }],
  [{ a: 'x","b":"y' }, { a: 'x', b: 'y' }],
  [{ a: 1n }, { a: 2n }],
])('tells one content from another: %#', (a, b) => {
  expect(same(a, b)).toBe(false);
});
