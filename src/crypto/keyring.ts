import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

/**
 * Encryption of data at rest: AES-256-GCM (NIST SP 800-38D) under a keyring of named keys. The first
 * key encrypts, every key decrypts, so a key is rotated by putting a new one in front.
 *
 * Layout of a ciphertext: version (1 byte), length of the key's id (1), the id, nonce (12), tag (16),
 * data. The header, the tenant, the row and the field are additional data: a ciphertext that is
 * moved to another row or field, or relabelled with another key, does not open.
 */
const formatVersion = 1;
const nonceLength = 12;
// Stated, because Node accepts shorter tags by default, and a 4-byte tag can be guessed.
const tagLength = 16;

/** The place a ciphertext belongs to. */
export interface CiphertextOwner {
  readonly tenantId: string;
  /** Primary key of the row within the tenant. */
  readonly row: string;
  readonly field: string;
}

export interface Keyring {
  /** Ids of all keys, the encrypting one first. */
  readonly keyIds: readonly string[];
  encrypt(text: string, place: CiphertextOwner): Buffer;
  /** As `encrypt`, under the key of this id instead of the first one. Throws when the ring lacks it. */
  encryptUnder(keyId: string, text: string, place: CiphertextOwner): Buffer;
  /** Throws when the key is unknown, or the ciphertext was changed, cut or moved. */
  decrypt(ciphertext: Uint8Array, place: CiphertextOwner): string;
  /** 32 bytes for another use, derived from each key (HKDF, RFC 5869), the encrypting one first. */
  derive(purpose: string): readonly KeyObject[];
}

/**
 * The id of the key that a ciphertext names in its header, or null when it is not of this format.
 * Nothing is verified: only `decrypt` tells whether the header is genuine.
 */
export function keyIdOf(ciphertext: Uint8Array): string | null {
  const headerLength = 2 + (ciphertext[1] ?? 0);
  const shortest = headerLength + nonceLength + tagLength;
  if (ciphertext[0] !== formatVersion || ciphertext.length < shortest) return null;
  return Buffer.from(ciphertext.subarray(2, headerLength)).toString('latin1');
}

function additionalData(header: Uint8Array, place: CiphertextOwner): Buffer {
  // JSON keeps the parts apart: no concatenation of other parts gives the same bytes.
  return Buffer.concat([
    header,
    Buffer.from(JSON.stringify([place.tenantId, place.row, place.field])),
  ]);
}

/** The keys of the setting ENCRYPTION_KEYS by their ids, in its order; throws when it is malformed. */
export function readKeys(text: string): Map<string, Buffer> {
  const keys = new Map<string, Buffer>();
  for (const part of text.split(',')) {
    const [id, encoded, ...more] = part.trim().split(':');
    const named = id !== undefined && /^[a-zA-Z0-9_-]{1,32}$/.test(id);
    if (!named || encoded === undefined || more.length > 0) {
      throw new Error('ENCRYPTION_KEYS: expected <id>:<base64>, separated by commas');
    }
    const key = Buffer.from(encoded, 'base64');
    // Node skips characters that are not base64, so a damaged text could still give the 32 bytes of another key.
    if (key.length !== 32 || key.toString('base64') !== encoded) {
      throw new Error(`ENCRYPTION_KEYS: key ${id} must be the base64 of 32 bytes`);
    }
    if (keys.has(id)) throw new Error(`ENCRYPTION_KEYS: key ${id} is there twice`);
    keys.set(id, key);
  }
  return keys;
}

/** Makes a keyring from the setting ENCRYPTION_KEYS; throws when the setting is malformed. */
export function createKeyring(setting: string): Keyring {
  // As objects: of a key that is given as bytes Node makes one at each use, which costs more than the cipher.
  const keys = new Map([...readKeys(setting)].map(([id, key]) => [id, createSecretKey(key)]));
  const [first] = keys;
  if (first === undefined) throw new Error('ENCRYPTION_KEYS: at least one key is needed');
  const [currentId] = first;
  const headers = new Map(
    Array.from(keys.keys(), (id) => [
      id,
      Buffer.concat([Buffer.from([formatVersion, id.length]), Buffer.from(id)]),
    ]),
  );

  function encryptUnder(keyId: string, text: string, place: CiphertextOwner): Buffer {
    const key = keys.get(keyId);
    const header = headers.get(keyId);
    if (key === undefined || header === undefined) {
      throw new Error('the keyring lacks the key to encrypt with');
    }
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
    cipher.setAAD(additionalData(header, place));
    const data = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([header, nonce, cipher.getAuthTag(), data]);
  }

  const derived = new Map<string, readonly KeyObject[]>();

  return {
    keyIds: [...keys.keys()],

    encrypt: (text, place) => encryptUnder(currentId, text, place),
    encryptUnder,

    decrypt(ciphertext, place) {
      const keyId = keyIdOf(ciphertext);
      if (keyId === null) throw new Error('not a ciphertext of this format');
      const bytes = Buffer.from(ciphertext);
      const headerLength = 2 + keyId.length;
      const start = headerLength + nonceLength + tagLength;
      const header = bytes.subarray(0, headerLength);
      const key = keys.get(keyId);
      if (key === undefined) throw new Error('the keyring lacks the key of a ciphertext');
      const nonce = bytes.subarray(headerLength, headerLength + nonceLength);
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagLength });
      decipher.setAAD(additionalData(header, place));
      decipher.setAuthTag(bytes.subarray(headerLength + nonceLength, start));
      return Buffer.concat([decipher.update(bytes.subarray(start)), decipher.final()]).toString();
    },

    derive(purpose) {
      const known = derived.get(purpose);
      if (known !== undefined) return known;
      const made = [...keys.values()].map((key) =>
        createSecretKey(Buffer.from(hkdfSync('sha256', key, '', purpose, 32))),
      );
      derived.set(purpose, made);
      return made;
    },
  };
}
