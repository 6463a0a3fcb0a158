import { createHmac, createSecretKey, randomBytes, type KeyObject } from 'node:crypto';
import type { Keyring, CiphertextOwner } from '../../crypto/keyring.ts';
import { firstRow, platformStatement, rows } from '../../db/pool.ts';
import type { Call, Services } from '../../process/services.ts';

/*
 * An encrypted value is found, and is unique, by a keyed hash beside its ciphertext. The key of the hashes is
 * random, made once, and stored encrypted under the keyring. So a rotation of the keyring rewrites one row
 * and changes no hash: the unique index holds all the while, also for processes with different rings.
 */

/** The place that the key of the hashes is bound to. It belongs to no tenant. */
const place: CiphertextOwner = { tenantId: '', row: 'current', field: 'key' };

const readKey = platformStatement({
  name: 'read_lookup_key',
  text: `SELECT k.key_ciphertext AS sealed FROM lookup_key k WHERE k.id = 'current'`,
});

const insertKey = platformStatement({
  name: 'insert_lookup_key',
  text: `INSERT INTO lookup_key (id, key_ciphertext) VALUES ('current', $1) ON CONFLICT (id) DO NOTHING`,
});

type LookupServices = Pick<Services, 'pool' | 'keyring'>;

/** The first process that needs the key makes it; of several at once, one wins. */
async function readOrMake({ pool, keyring }: LookupServices): Promise<KeyObject> {
  const stored = await firstRow<{ sealed: Buffer }>(pool, readKey, []);
  if (stored !== null) return createSecretKey(keyring.decrypt(stored.sealed, place), 'base64');
  const made = randomBytes(32).toString('base64');
  await rows(pool, insertKey, [keyring.encrypt(made, place)]);
  return readOrMake({ pool, keyring });
}

/** Of each process, by its keyring: the key is read once. */
const known = new WeakMap<Keyring, Promise<KeyObject>>();

function lookupKey(services: LookupServices): Promise<KeyObject> {
  const { keyring } = services;
  const before = known.get(keyring);
  if (before !== undefined) return before;
  const key = readOrMake(services);
  known.set(keyring, key);
  key.catch(() => known.delete(keyring));
  return key;
}

/** Hashes a value of one tenant in the form in which it is compared. */
export type TenantHash = (tenantId: string, compared: string) => Buffer;

/**
 * The hash of one field's values: HMAC-SHA256 over tenant, field and value, so that equal addresses of two tenants
 * are not seen to be equal. Reads the key from the database once in a process; call it before a
 * transaction begins.
 */
export async function lookupHash(
  services: LookupServices,
  field: 'email' | 'bank_account' | 'screened_subject' | 'creation',
): Promise<TenantHash> {
  const key = await lookupKey(services);
  return (tenantId, compared) =>
    createHmac('sha256', key)
      .update(JSON.stringify([tenantId, field, compared]))
      .digest();
}

/** Hashes addresses of one tenant; takes what `emailKey` gives. */
export type EmailHash = (emailKey: string) => Buffer;

/** As `lookupHash`, for the e-mail addresses of the scope's tenant. */
export async function emailHash({ services, scope }: Call): Promise<EmailHash> {
  const hash = await lookupHash(services, 'email');
  return (emailKey) => hash(scope.tenantId, emailKey);
}
