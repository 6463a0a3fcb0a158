import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { CiphertextOwner } from './keyring.ts';

/*
 * Encryption of a file at rest: AES-256-GCM under a key of its own, which the caller keeps encrypted
 * under the keyring. A rotation of the keyring rewrites that key and not the file.
 *
 * Layout: version (1 byte), nonce (12), tag (16), data. The tenant, the row and the field are
 * additional data, as in `keyring.ts`.
 */
const formatVersion = 1;
const nonceLength = 12;
const tagLength = 16;
const headLength = 1 + nonceLength + tagLength;

function additionalData(place: CiphertextOwner): Buffer {
  return Buffer.from(JSON.stringify([formatVersion, place.tenantId, place.row, place.field]));
}

/** A file as it is stored, and the key that opens it (32 bytes in base64). */
export interface SealedContent {
  readonly content: Buffer;
  readonly key: string;
}

/** A new key for a file: 32 bytes in base64. */
export function newContentKey(): string {
  return randomBytes(32).toString('base64');
}

/** Encrypts a piece of a file for its place under the file's key. `openContent` decrypts it. */
export function sealPiece(bytes: Uint8Array, key: string, place: CiphertextOwner): Buffer {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce, {
    authTagLength: tagLength,
  });
  cipher.setAAD(additionalData(place));
  const data = [cipher.update(bytes), cipher.final()];
  return Buffer.concat([Buffer.from([formatVersion]), nonce, cipher.getAuthTag(), ...data]);
}

/** Encrypts a file for its place under a new key. */
export function sealContent(bytes: Uint8Array, place: CiphertextOwner): SealedContent {
  const key = newContentKey();
  return { content: sealPiece(bytes, key, place), key };
}

/** Decrypts a file of `sealContent`, or a piece of `sealPiece`. Throws if it was changed, cut or moved, or the key is wrong. */
export function openContent(content: Uint8Array, key: string, place: CiphertextOwner): Buffer {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  if (bytes[0] !== formatVersion || bytes.length < headLength) {
    throw new Error('not a sealed content of this format');
  }
  const nonce = bytes.subarray(1, 1 + nonceLength);
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), nonce, {
    authTagLength: tagLength,
  });
  decipher.setAAD(additionalData(place));
  decipher.setAuthTag(bytes.subarray(1 + nonceLength, headLength));
  const data = decipher.update(bytes.subarray(headLength));
  // In this mode the end adds no bytes. It throws where the tag does not fit.
  decipher.final();
  return data;
}
