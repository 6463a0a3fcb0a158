import { createCipheriv, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createKeyring, keyIdOf, type CiphertextOwner } from '../../src/crypto/keyring.ts';

const newKey = () => randomBytes(32).toString('base64');
const oldKey = newKey();
const currentKey = newKey();
const keyring = createKeyring(`k2:${currentKey},k1:${oldKey}`);
const place: CiphertextOwner = { tenantId: 'ten_1', row: 'ben_1', field: 'tax_id' };
const text = '12-3456789';
const sealed = keyring.encrypt(text, place);

/** Version, length of the id, and the id `k2`; then the nonce, the tag, the data. */
const nonceStart = 4;
const tagStart = nonceStart + 12;
const dataStart = tagStart + 16;

const anyText = fc.string({ unit: 'binary', maxLength: 300 });
const anyPlace = fc.record({ tenantId: anyText, row: anyText, field: anyText });

describe('a ciphertext', () => {
  it('opens in its place, whatever the text', () => {
    fc.assert(
      fc.property(anyText, anyPlace, (given, where) => {
        expect(keyring.decrypt(keyring.encrypt(given, where), where)).toBe(given);
      }),
    );
  });

  it('never repeats and holds no part of the text', () => {
    const many = Array.from({ length: 200 }, () => keyring.encrypt(text, place).toString('latin1'));
    expect(new Set(many).size).toBe(200);
    expect(many.some((one) => one.includes(text))).toBe(false);
  });

  it('names its key, which is the first of the setting', () => {
    expect(keyIdOf(sealed)).toBe('k2');
    expect(keyring.keyIds).toEqual(['k2', 'k1']);
  });

  it('opens under every key of the ring, whatever their order', () => {
    const before = createKeyring(`k1:${oldKey}`).encrypt(text, place);
    expect(keyring.decrypt(before, place)).toBe(text);
    expect(createKeyring(`k1:${oldKey},k2:${currentKey}`).decrypt(sealed, place)).toBe(text);
  });

  it('does not open in any other place', () => {
    for (const moved of [
      { ...place, tenantId: 'ten_2' },
      { ...place, row: 'ben_2' },
      { ...place, field: 'date_of_birth' },
      // The parts are kept apart: text moved from one to the next is another place.
      { ...place, tenantId: 'ten_1b', row: 'en_1' },
      { tenantId: 'ben_1', row: 'ten_1', field: 'tax_id' },
    ]) {
      expect(() => keyring.decrypt(sealed, moved)).toThrow();
    }
    // So they are by whatever could be put between them.
    for (const between of [',', '","', '.', ' ']) {
      const left = keyring.encrypt(text, { ...place, tenantId: `a${between}b`, row: 'c' });
      const right = { ...place, tenantId: 'a', row: `b${between}c` };
      expect(() => keyring.decrypt(left, right)).toThrow();
    }
    fc.assert(
      fc.property(anyPlace, anyPlace, (here, there) => {
        fc.pre(JSON.stringify(here) !== JSON.stringify(there));
        const ciphertext = keyring.encrypt(text, here);
        expect(() => keyring.decrypt(ciphertext, there)).toThrow();
      }),
    );
  });

  it('does not open with any one bit changed', () => {
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const changed = Buffer.from(sealed);
      changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      expect(() => keyring.decrypt(changed, place), `bit ${bit}`).toThrow();
    }
  });

  it('does not open when cut or extended', () => {
    for (let length = 0; length < sealed.length; length += 1) {
      expect(() => keyring.decrypt(sealed.subarray(0, length), place)).toThrow();
    }
    expect(() => keyring.decrypt(Buffer.concat([sealed, Buffer.from([0])]), place)).toThrow();
  });

  it('does not open relabelled with the name of another key', () => {
    const relabelled = Buffer.from(sealed);
    relabelled.write('k1', 2);
    expect(keyIdOf(relabelled)).toBe('k1');
    expect(() => keyring.decrypt(relabelled, place)).toThrow();
    // Nor where both names stand for one key: the header is authenticated too.
    const twins = createKeyring(`k1:${currentKey},k2:${currentKey}`);
    expect(twins.decrypt(sealed, place)).toBe(text);
    expect(() => twins.decrypt(relabelled, place)).toThrow();
  });

  it.each([4, 8, 12, 13, 14, 15])('does not open with a genuine tag of %i bytes', (tagLength) => {
    // What an attacker who may choose the length of the tag would send.
    const nonce = randomBytes(12);
    const header = sealed.subarray(0, nonceStart);
    const cipher = createCipheriv('aes-256-gcm', Buffer.from(currentKey, 'base64'), nonce, {
      authTagLength: tagLength,
    });
    cipher.setAAD(Buffer.concat([header, Buffer.from('["ten_1","ben_1","tax_id"]')]));
    const data = Buffer.concat([cipher.update('x'.repeat(64)), cipher.final()]);
    const short = Buffer.concat([header, nonce, cipher.getAuthTag(), data]);
    expect(() => keyring.decrypt(short, place)).toThrow();
  });

  it.each([4, 8, 12, 13, 14, 15])(
    'does not open empty with a genuine tag of %i bytes',
    (tagLength) => {
      const nonce = randomBytes(12);
      const header = sealed.subarray(0, nonceStart);
      const cipher = createCipheriv('aes-256-gcm', Buffer.from(currentKey, 'base64'), nonce, {
        authTagLength: tagLength,
      });
      cipher.setAAD(Buffer.concat([header, Buffer.from('["ten_1","ben_1","tax_id"]')]));
      const data = Buffer.concat([cipher.update(''), cipher.final()]);
      const short = Buffer.concat([header, nonce, cipher.getAuthTag(), data]);
      expect(keyIdOf(short)).toBeNull();
      expect(() => keyring.decrypt(short, place)).toThrow('not a ciphertext of this format');
    },
  );

  it('has the layout that other readers rely on', () => {
    expect(sealed.subarray(0, nonceStart)).toEqual(Buffer.from([1, 2, 0x6b, 0x32]));
    expect(sealed.length).toBe(dataStart + Buffer.byteLength(text));
  });

  it('does not open without its key, and the error tells nothing of the text', () => {
    const without = createKeyring(`k1:${oldKey}`);
    expect(() => without.decrypt(sealed, place)).toThrow('the keyring lacks the key');
    const impostor = createKeyring(`k2:${oldKey}`);
    expect(() => impostor.decrypt(sealed, place)).toThrow();
  });

  it('is refused when it is something else', () => {
    for (const other of [Buffer.alloc(0), Buffer.from([1]), Buffer.alloc(100), randomBytes(7)]) {
      expect(() => keyring.decrypt(other, place)).toThrow();
    }
    expect(keyIdOf(Buffer.alloc(0))).toBeNull();
    expect(keyIdOf(Buffer.concat([Buffer.from([2]), sealed.subarray(1)]))).toBeNull();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(() => keyring.decrypt(bytes, place)).toThrow();
      }),
    );
  });
});

describe('the setting', () => {
  it.each([
    ['nothing', ''],
    ['no id', `:${oldKey}`],
    ['no key', 'k1'],
    ['an empty key', 'k1:'],
    ['an id with other characters', `k 1:${oldKey}`],
    ['an id that is too long', `${'k'.repeat(33)}:${oldKey}`],
    ['a key of 31 bytes', `k1:${randomBytes(31).toString('base64')}`],
    ['a key of 33 bytes', `k1:${randomBytes(33).toString('base64')}`],
    ['a key that is not base64', `k1:${'*'.repeat(4)}${oldKey}`],
    ['a key in hexadecimal', `k1:${randomBytes(32).toString('hex')}`],
    ['a key with something after it', `k1:${oldKey}:k2`],
    ['an id twice', `k1:${oldKey},k1:${currentKey}`],
    ['a comma too many', `k1:${oldKey},`],
  ])('is refused with %s', (_name, setting) => {
    expect(() => createKeyring(setting)).toThrow(/^ENCRYPTION_KEYS: /);
  });

  it('may have spaces between the keys, and an id of 32 characters', () => {
    const id = 'k'.repeat(32);
    const spaced = createKeyring(` ${id}:${oldKey} , k1:${currentKey} `);
    expect(spaced.keyIds).toEqual([id, 'k1']);
    expect(spaced.decrypt(spaced.encrypt(text, place), place)).toBe(text);
  });

  it('is never part of an error', () => {
    try {
      createKeyring(`k1:${oldKey.slice(1)}`);
      expect.unreachable();
    } catch (error) {
      expect(String(error)).not.toContain(oldKey.slice(1));
    }
  });
});

describe('derived keys', () => {
  it('differ by key and by purpose, and are the same in every process', () => {
    const all = [...keyring.derive('one'), ...keyring.derive('two')].map((key) =>
      key.export().toString('hex'),
    );
    expect(new Set(all).size).toBe(4);
    expect(all.every((key) => key.length === 64)).toBe(true);
    const [elsewhere] = createKeyring(`k1:${oldKey}`).derive('one');
    expect(elsewhere?.export()).toEqual(keyring.derive('one')[1]?.export());
  });
});
