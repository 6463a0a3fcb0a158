import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { openContent, sealContent } from '../../src/crypto/content.ts';

const place = { tenantId: 'ten_1', row: 'txd_1', field: 'content' };

it.each([0, 1, 4_096, 1_048_577])('gives %i bytes back', (size) => {
  const bytes = randomBytes(size);
  const { content, key } = sealContent(bytes, place);
  expect(content.length).toBe(size + 29);
  if (size > 16) expect(content.includes(bytes)).toBe(false);
  expect(openContent(content, key, place)).toEqual(bytes);
});

it('has another key and another nonce each time', () => {
  const bytes = Buffer.from('the same');
  const [a, b] = [sealContent(bytes, place), sealContent(bytes, place)];
  expect(a.key).not.toBe(b.key);
  expect(a.content.equals(b.content)).toBe(false);
});

it('does not open elsewhere, with another key, changed or cut (invariant T3)', () => {
  const { content, key } = sealContent(Buffer.from('a document'), place);
  for (const other of [{ tenantId: 'ten_2' }, { row: 'txd_2' }, { field: 'content_key' }]) {
    expect(() => openContent(content, key, { ...place, ...other })).toThrow();
  }
  expect(() => openContent(content, sealContent(content, place).key, place)).toThrow();
  for (const at of [0, 1, 13, 20, 28, content.length - 1]) {
    const changed = Buffer.from(content);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => openContent(changed, key, place)).toThrow();
  }
  for (const length of [0, 1, 28, content.length - 1]) {
    expect(() => openContent(content.subarray(0, length), key, place)).toThrow();
  }
});
