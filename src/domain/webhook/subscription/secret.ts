import { randomBytes } from 'node:crypto';
import type { Environment, Scope } from '../../../access/scope.ts';
import type { Keyring, CiphertextOwner } from '../../../crypto/keyring.ts';

/** A new signing secret, `whsec_<env>_<256 random bits in hexadecimal>`. */
export function makeSecret(environment: Environment): string {
  return `whsec_${environment}_${randomBytes(32).toString('hex')}`;
}

function place(scope: Scope, subscriptionId: string): CiphertextOwner {
  return { tenantId: scope.tenantId, row: subscriptionId, field: 'secret' };
}

/** Encrypts a signing secret for one subscription: it opens in no other. */
export function sealSecret(
  keyring: Keyring,
  scope: Scope,
  subscriptionId: string,
  secret: string,
): Buffer {
  return keyring.encrypt(secret, place(scope, subscriptionId));
}

/** Throws when the ciphertext is not this subscription's. */
export function openSecret(
  keyring: Keyring,
  scope: Scope,
  subscriptionId: string,
  ciphertext: Uint8Array,
): string {
  return keyring.decrypt(ciphertext, place(scope, subscriptionId));
}
