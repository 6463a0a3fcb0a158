import { createCipheriv, randomBytes } from 'node:crypto';
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

it('does not open elsewhere, with another key, changed or cut', () => {
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

it.each([4, 8, 12, 13, 14, 15])('does not open with a genuine tag of %i bytes', (tagLength) => {
  // Of an empty document the tag is all that is left to guess.
  const [key, nonce] = [randomBytes(32), randomBytes(12)];
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
  cipher.setAAD(Buffer.from('[1,"ten_1","txd_1","content"]'));
  const data = Buffer.concat([cipher.update(''), cipher.final()]);
  const short = Buffer.concat([Buffer.from([1]), nonce, cipher.getAuthTag(), data]);
  expect(() => openContent(short, key.toString('base64'), place)).toThrow(
    'not a sealed content of this format',
  );
});

it('does not open when cut, empty, or extended', () => {
  const { content, key } = sealContent(Buffer.alloc(0), place);
  expect(openContent(content, key, place)).toEqual(Buffer.alloc(0));
  for (let length = 0; length < content.length; length += 1) {
    expect(() => openContent(content.subarray(0, length), key, place), `${length}`).toThrow(
      'not a sealed content of this format',
    );
  }
  expect(() => openContent(Buffer.concat([content, Buffer.from([0])]), key, place)).toThrow();
});
