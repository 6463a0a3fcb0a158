import { createHash, createPublicKey, verify, type KeyObject } from 'node:crypto';
import { challengeOf, itemsDigest } from '../../src/domain/step-up/challenge.ts';

/** What is kept of a signature. */
export interface KeptSignature {
  readonly id: string;
  readonly text: string;
  readonly nonce: Buffer;
  readonly public_key: Buffer;
  readonly authenticator_data: Buffer;
  readonly client_data: Buffer;
  readonly signature: Buffer;
  readonly rp_id: string;
  readonly origin: string;
  /** The texts of the payouts that it is about. */
  readonly items: readonly string[];
}

const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest();

/** The values of a map of CBOR (RFC 8949) whose keys and values are integers and byte strings, which a COSE key is. */
function coseMap(key: Buffer): Map<number, number | Buffer> {
  let at = 0;
  const head = (): { major: number; value: number } => {
    const first = key.readUInt8(at);
    at += 1;
    const [major, low] = [first >> 5, first & 31];
    if (low < 24) return { major, value: low };
    const size = 2 ** (low - 24);
    if (size > 4) throw new Error('a COSE key has no such number');
    const value = key.readUIntBE(at, size);
    at += size;
    return { major, value };
  };
  const item = (): number | Buffer => {
    const { major, value } = head();
    if (major === 0) return value;
    if (major === 1) return -1 - value;
    if (major !== 2) throw new Error('a COSE key has no such item');
    at += value;
    return key.subarray(at - value, at);
  };
  const { major, value: size } = head();
  if (major !== 5) throw new Error('a COSE key is a map');
  const entries = new Map<number, number | Buffer>();
  for (let i = 0; i < size; i += 1) {
    const name = item();
    if (typeof name !== 'number') throw new Error('a COSE key has numbers as names');
    entries.set(name, item());
  }
  return entries;
}

/** The public key of a COSE key: ES256, RS256 or Ed25519 (RFC 9053, sections 2 and 7; RFC 8230). */
function publicKeyOf(cose: Buffer): KeyObject {
  const map = coseMap(cose);
  const part = (name: number): string => {
    const value = map.get(name);
    if (!Buffer.isBuffer(value)) throw new Error('a part of the key is missing');
    return value.toString('base64url');
  };
  switch (map.get(3)) {
    case -7:
      return createPublicKey({
        format: 'jwk',
        key: { kty: 'EC', crv: 'P-256', x: part(-2), y: part(-3) },
      });
    case -257:
      return createPublicKey({ format: 'jwk', key: { kty: 'RSA', n: part(-1), e: part(-2) } });
    case -8:
      return createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: part(-2) } });
    default:
      throw new Error('no such algorithm');
  }
}

/** The flags of authenticator data: somebody was there, and unlocked the device. */
const presentAndVerified = 0x05;

/** What is wrong with a signature, from the kept bytes alone; null where it verifies. */
export function signatureFault(kept: KeptSignature): string | null {
  const { text, items } = kept;
  const isOne = items.length === 1;
  if (isOne && items[0] !== text) return 'the text is not that of its payout';
  const told = JSON.parse(text) as { items?: unknown; count?: unknown };
  if (!isOne && (told.items !== itemsDigest(items) || told.count !== items.length)) {
    return 'the text is not that of its payouts';
  }
  const client = JSON.parse(kept.client_data.toString('utf8')) as Record<string, unknown>;
  if (client['type'] !== 'webauthn.get') return 'it was not made for signing';
  if (client['origin'] !== kept.origin) return 'it was made on another page';
  if (client['challenge'] !== challengeOf(kept.nonce, text).toString('base64url')) {
    return 'it is about another text';
  }
  const data = kept.authenticator_data;
  if (!data.subarray(0, 32).equals(sha256(kept.rp_id))) return 'it was made for another host';
  if ((data.readUInt8(32) & presentAndVerified) !== presentAndVerified) {
    return 'nobody unlocked the passkey';
  }
  const signed = Buffer.concat([data, sha256(kept.client_data)]);
  const key = publicKeyOf(kept.public_key);
  const algorithm = key.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  return verify(algorithm, signed, key, kept.signature) ? null : 'the signature is wrong';
}
