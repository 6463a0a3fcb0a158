import type { PoolClient } from 'pg';
import { firstRow, platformStatement, rows, type Queryable } from '../../db/pool.ts';
import { isId, newId } from '../../values/ids.ts';
import { lockPerson } from '../session/lock-person.ts';
import type { Person } from '../session/open.ts';

/** A passkey, as its owner sees it. */
export interface Passkey {
  readonly id: string;
  readonly name: string;
  /** Whether it is copied to other devices of its owner. */
  readonly synced: boolean;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

type PasskeyRow = Passkey & Record<string, unknown>;

const columns = `p.id, p.name, p.synced, p.created_at AS "createdAt", p.last_used_at AS "lastUsedAt"`;

const ids = (person: Person): [string | null, string | null] =>
  'userId' in person ? [person.userId, null] : [null, person.operatorUserId];

/** Passkeys that one person may have. */
export const mostPasskeys = 20;

const list = platformStatement({
  name: 'list_passkeys',
  text: `
    SELECT ${columns}, p.credential_id AS "credentialId", p.transports FROM passkey p
    WHERE (p.user_id = $1 OR p.operator_user_id = $2) AND p.removed_at IS NULL
    ORDER BY p.id LIMIT ${mostPasskeys}`,
});

export interface KnownPasskey extends Passkey {
  readonly credentialId: Buffer;
  readonly transports: string[];
}

/** The passkeys of a person, those added first at the top. */
export function listPasskeys(client: Queryable, person: Person): Promise<KnownPasskey[]> {
  return rows<KnownPasskey & Record<string, unknown>>(client, list, ids(person));
}

export interface NewPasskey {
  readonly credentialId: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly counter: number;
  readonly transports: readonly string[];
  readonly synced: boolean;
  readonly name: string;
}

/** One more than the list shows could be neither seen nor removed. */
const insert = platformStatement({
  name: 'insert_passkey',
  text: `
    INSERT INTO passkey AS p (
      id, user_id, operator_user_id, credential_id, public_key, counter, transports, synced, name
    )
    SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
    WHERE (
      SELECT count(*) FROM passkey o
      WHERE (o.user_id = $2 OR o.operator_user_id = $3) AND o.removed_at IS NULL
    ) < ${mostPasskeys}
    ON CONFLICT DO NOTHING
    RETURNING ${columns}`,
});

/** Stores a passkey; null where it is there already, or its owner has as many as they may. */
export async function insertPasskey(
  client: PoolClient,
  person: Person,
  { credentialId, publicKey, counter, transports, synced, name }: NewPasskey,
): Promise<Passkey | null> {
  const [userId, operatorUserId] = ids(person);
  // Two browsers of a person wait for each other here: each then counts what the other added.
  await lockPerson(client, person);
  return firstRow<PasskeyRow>(client, insert, [
    newId('passkey'),
    userId,
    operatorUserId,
    Buffer.from(credentialId),
    Buffer.from(publicKey),
    counter,
    [...transports],
    synced,
    name,
  ]);
}

const remove = platformStatement({
  name: 'remove_passkey',
  text: `
    UPDATE passkey p SET removed_at = n.at
    FROM (SELECT now() AS at) n
    WHERE p.id = $1 AND (p.user_id = $2 OR p.operator_user_id = $3) AND p.removed_at IS NULL
    RETURNING p.id`,
});

/** Removes a passkey of a person; false where they have no such passkey. */
export async function removePasskey(
  client: Queryable,
  person: Person,
  id: string,
): Promise<boolean> {
  if (!isId('passkey', id)) return false;
  return (await firstRow(client, remove, [id, ...ids(person)])) !== null;
}

export interface StoredPasskey extends Record<string, unknown> {
  readonly id: string;
  readonly userId: string | null;
  readonly operatorUserId: string | null;
  readonly publicKey: Buffer;
  /** A bigint as text. */
  readonly counter: string;
  readonly transports: string[];
}

const byCredential = platformStatement({
  name: 'passkey_by_credential',
  text: `
    SELECT p.id, p.user_id AS "userId", p.operator_user_id AS "operatorUserId",
      p.public_key AS "publicKey", p.counter::text AS counter, p.transports
    FROM passkey p WHERE p.credential_id = $1 AND p.removed_at IS NULL`,
});

/** The passkey with the id that its device knows; null for an unknown one. */
export function findPasskey(
  client: Queryable,
  credentialId: Uint8Array,
): Promise<StoredPasskey | null> {
  return firstRow<StoredPasskey>(client, byCredential, [Buffer.from(credentialId)]);
}

/** A counter that does not grow is that of a copy, unless the passkey does not count at all. */
const noteUse = platformStatement({
  name: 'note_passkey_use',
  text: `
    UPDATE passkey p SET counter = $2, synced = $3, last_used_at = n.at
    FROM (SELECT now() AS at) n
    WHERE p.id = $1 AND p.removed_at IS NULL AND (p.counter < $2 OR (p.counter = 0 AND $2 = 0))
    RETURNING p.id`,
});

/** Notes that a passkey signed; false where it was removed meanwhile, or a copy of it signs. */
export async function notePasskeyUse(
  client: Queryable,
  id: string,
  used: { readonly counter: number; readonly synced: boolean },
): Promise<boolean> {
  return (await firstRow(client, noteUse, [id, used.counter, used.synced])) !== null;
}
