import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { keyIdOf, type Keyring } from '../../src/crypto/keyring.ts';
import {
  createLiveKeyring,
  KeyringRefused,
  type LiveKeyring,
} from '../../src/crypto/live-keyring.ts';

const key = () => randomBytes(32).toString('base64');
const [k1, k2] = [`k1:${key()}`, `k2:${key()}`];
const fine = () => Promise.resolve();
const place = { tenantId: 'ten_1', row: 'ben_1', field: 'tax_id' };

describe('a keyring that is replaced', () => {
  let ring: LiveKeyring;
  beforeEach(() => {
    ring = createLiveKeyring(k1);
  });

  it('encrypts with the new first key and opens what the old one encrypted', async () => {
    const before = ring.encrypt('a', place);
    expect(await ring.replace(`${k2},${k1}`, fine)).toBe(true);
    const after = ring.encrypt('b', place);
    expect([keyIdOf(before), keyIdOf(after)]).toEqual(['k1', 'k2']);
    expect([ring.decrypt(before, place), ring.decrypt(after, place)]).toEqual(['a', 'b']);
    expect(ring.keyIds).toEqual(['k2', 'k1']);
  });

  it('derives other keys from then on', async () => {
    const [before] = ring.derive('cursor');
    await ring.replace(`${k2},${k1}`, fine);
    expect(ring.derive('cursor')[1]).toEqual(before);
    expect(ring.derive('cursor')).toHaveLength(2);
  });

  it('says whether anything changed; the order of the keys counts', async () => {
    expect(await ring.replace(k1, fine)).toBe(false);
    expect(await ring.replace(`${k1},${k2}`, fine)).toBe(true);
    expect(await ring.replace(`${k2},${k1}`, fine)).toBe(true);
  });

  it.each([
    ['text of another form', 'no keys', /expected <id>:<base64>/],
    ['nothing', '', /expected <id>:<base64>/],
    ['a known id with other bytes', `k1:${key()}`, /key k1 has other bytes than before/],
  ])('keeps its keys when it gets %s', async (_name, text, told) => {
    const sealed = ring.encrypt('a', place);
    await expect(ring.replace(text, fine)).rejects.toThrow(told);
    expect(ring.decrypt(sealed, place)).toBe('a');
    expect(ring.keyIds).toEqual(['k1']);
  });

  it('keeps its keys when they are judged to be wrong', async () => {
    const judged: string[][] = [];
    const refuse = (next: Keyring) => {
      judged.push([...next.keyIds]);
      return Promise.reject(new Error('the data needs k1'));
    };
    await expect(ring.replace(k2, refuse)).rejects.toThrow('the data needs k1');
    expect(judged).toEqual([['k2']]);
    expect(ring.keyIds).toEqual(['k1']);
  });

  it('encrypts nothing while it is guarded, and opens what there is', () => {
    const sealed = ring.encrypt('a', place);
    let problem: string | null = 'the keys are not judged yet';
    ring.guard(() => problem);
    expect(() => ring.encrypt('b', place)).toThrow(KeyringRefused);
    expect(ring.decrypt(sealed, place)).toBe('a');
    problem = null;
    expect(ring.decrypt(ring.encrypt('b', place), place)).toBe('b');
  });

  it('tells of a ciphertext whose key is missing, and of nothing else', () => {
    const other = createLiveKeyring(k2).encrypt('a', place);
    let missed = 0;
    ring.onMissingKey(() => (missed += 1));
    expect(() => ring.decrypt(other, place)).toThrow('lacks the key');
    expect(() => ring.decrypt(Buffer.from('none'), place)).toThrow('not a ciphertext');
    ring.decrypt(ring.encrypt('b', place), place);
    expect(missed).toBe(1);
  });
});
