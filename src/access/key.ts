import { hash, randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { idPrefixes, isId, type Resource } from '../values/ids.ts';
import type { Role } from './roles.ts';
import type { Environment } from './scope.ts';

/**
 * Keys: `pos_<env>_<id>_<secret>` of a business, and
 * `pos_operator_<id>_<secret>` of a platform operator. The secret ends in a checksum of all before
 * it, so that a mistyped key, or a find of a secret scanner, is recognised without asking the
 * database.
 */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 43; // 43 × log2(62) = 256 bits
const checksumLength = 6; // 62^6 > 2^32
const keyPattern = new RegExp(
  `^pos_(sandbox|production|operator)_([0-9a-z]{26})_([0-9A-Za-z]{${randomLength}})([0-9A-Za-z]{${checksumLength}})$`,
);

function base62(value: bigint, length: number): string {
  let text = '';
  let rest = value;
  for (let i = 0; i < length; i += 1) {
    text = digits.charAt(Number(rest % 62n)) + text;
    rest /= 62n;
  }
  return text;
}

/** Of 32 bits, so that plain numbers do: each request pays for it. */
function checksum(text: string): string {
  let sum = '';
  let rest = crc32(text);
  for (let i = 0; i < checksumLength; i += 1) {
    sum = digits.charAt(rest % 62) + sum;
    rest = Math.floor(rest / 62);
  }
  return sum;
}

/** What is stored of a key. A plain SHA-256 suffices, since the secret has 256 random bits. */
function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}

/** What a key opens: one environment of a business, or the operators' commands. */
export type KeyKind = Environment | 'operator';

const resources = {
  sandbox: 'apiKey',
  production: 'apiKey',
  operator: 'operatorKey',
} as const satisfies Record<KeyKind, Resource>;

/** A new key for the id `key_…` or `opk_…`. The text is shown once and never stored. */
export function makeKey(kind: KeyKind, keyId: string): { key: string; hash: Buffer } {
  const random = base62(BigInt(`0x${randomBytes(32).toString('hex')}`), randomLength);
  const head = `pos_${kind}_${keyId.slice(idPrefixes[resources[kind]].length + 1)}_${random}`;
  const key = head + checksum(head);
  return { key, hash: hashSecret(random) };
}

/** An API key at the one moment when its text is known. */
export interface IssuedKey {
  readonly id: string;
  readonly environment: Environment;
  readonly role: Role;
  readonly key: string;
}

export interface ParsedKey {
  readonly kind: KeyKind;
  readonly keyId: string;
  readonly secretHash: Buffer;
}

/** Takes a key apart; null when its form or its checksum is wrong. */
export function parseKey(key: string): ParsedKey | null {
  const [, kind, suffix, random, sum] = keyPattern.exec(key) ?? [];
  if (kind === undefined || random === undefined) return null;
  const resource = resources[kind as KeyKind]; // the pattern's alternatives
  const keyId = `${idPrefixes[resource]}_${suffix ?? ''}`;
  if (!isId(resource, keyId) || checksum(key.slice(0, -checksumLength)) !== sum) return null;
  return { kind: kind as KeyKind, keyId, secretHash: hashSecret(random) };
}
