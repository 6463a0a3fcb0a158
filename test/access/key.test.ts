import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { makeKey, parseKey, type KeyKind } from '../../src/access/key.ts';
import { newId } from '../../src/values/ids.ts';

const kinds: [KeyKind, 'apiKey' | 'operatorKey'][] = [
  ['sandbox', 'apiKey'],
  ['production', 'apiKey'],
  ['operator', 'operatorKey'],
];

test.each(kinds)('a %s key says what it is and is taken apart again', (kind, resource) => {
  const id = newId(resource);
  const { key, hash } = makeKey(kind, id);
  expect(key).toMatch(new RegExp(`^pos_${kind}_${id.slice(4)}_[0-9A-Za-z]{49}$`));
  expect(parseKey(key)).toEqual({ kind, keyId: id, secretHash: hash });
  expect(hash).toHaveLength(32);
});

test('every single changed character is noticed without the database', () => {
  const { key } = makeKey('sandbox', newId('apiKey'));
  for (let at = 0; at < key.length; at += 1) {
    const other = key.charAt(at) === 'a' ? 'b' : 'a';
    expect(parseKey(key.slice(0, at) + other + key.slice(at + 1))).toBeNull();
  }
  for (const wrong of ['', key.slice(1), key.slice(0, -1), `${key}0`, ` ${key}`, `${key}\n`]) {
    expect(parseKey(wrong)).toBeNull();
  }
});

test('the kind is under the checksum: a sandbox key does not become another by its prefix', () => {
  const { key } = makeKey('sandbox', newId('apiKey'));
  for (const kind of ['production', 'operator', 'live']) {
    expect(parseKey(key.replace('pos_sandbox', `pos_${kind}`))).toBeNull();
  }
});

test('two keys of one id share nothing, and what is stored is not the secret', () => {
  const id = newId('apiKey');
  const [first, second] = [makeKey('sandbox', id), makeKey('sandbox', id)];
  expect(first.hash.equals(second.hash)).toBe(false);
  const secret = first.key.slice(first.key.lastIndexOf('_') + 1, -6);
  expect(createHash('sha256').update(secret).digest().equals(first.hash)).toBe(true);
});
