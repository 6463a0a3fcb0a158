import type { Pool } from 'pg';
import { firstRow, inTransaction, platformStatement, rows } from '../db/pool.ts';
import { newId } from '../values/ids.ts';
import { makeKey, type ParsedKey } from './key.ts';
import { logCommand } from './operator-log.ts';
import { makeOperatorScope, type OperatorScope } from './scope.ts';

/*
 * Keys of the platform's operators. They are made and revoked from the command line by
 * whoever connects as the owner of the tables, never over the network: the service's login may do neither.
 */

const insertKey = platformStatement({
  name: 'insert_operator_key',
  text: 'INSERT INTO operator_key (id, name, secret_hash) VALUES ($1, $2, $3)',
});

/** Makes a key for the operator called `name`, and logs it. Its text is in the answer and nowhere else. */
export async function issueOperatorKey(
  pool: Pool,
  name: string,
): Promise<{ readonly id: string; readonly key: string }> {
  const id = newId('operatorKey');
  const { key, hash } = makeKey('operator', id);
  await inTransaction(pool, async (client) => {
    await rows(client, insertKey, [id, name, hash]);
    await logCommand(client, 'make_operator_key', id, name);
  });
  return { id, key };
}

const revokeKey = platformStatement({
  name: 'revoke_operator_key',
  text: 'UPDATE operator_key SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL RETURNING id',
});

const revokedAt = platformStatement({
  name: 'revoked_operator_key',
  text: 'SELECT revoked_at AS "revokedAt" FROM operator_key WHERE id = $1',
});

/**
 * Revokes a key, and logs it; repeating it changes and logs nothing. When it was revoked, or null for an unknown id.
 */
export async function revokeOperatorKey(pool: Pool, id: string): Promise<Date | null> {
  return inTransaction(pool, async (client) => {
    const changed = await rows(client, revokeKey, [id]);
    if (changed.length > 0) await logCommand(client, 'revoke_operator_key', id, null);
    const row = await firstRow<{ revokedAt: Date }>(client, revokedAt, [id]);
    return row?.revokedAt ?? null;
  });
}

/** As for the keys of a business: reads one, and notes its use once a minute at most. */
const storedKey = platformStatement({
  name: 'stored_operator_key',
  text: `
    WITH used AS (
      UPDATE operator_key SET last_used_at = now()
      WHERE id = $1 AND secret_hash = $2 AND revoked_at IS NULL
        AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')
    )
    SELECT secret_hash, revoked_at IS NULL AS works FROM operator_key WHERE id = $1`,
});

export interface StoredOperatorKey {
  readonly hash: Buffer;
  readonly caller: OperatorScope;
  /** Whether it is not revoked. */
  readonly works: boolean;
}

/** The key with this id; the caller still compares the secret. Null when unknown. */
export async function findOperatorKey(
  pool: Pool,
  { keyId, secretHash }: ParsedKey,
): Promise<StoredOperatorKey | null> {
  const row = await firstRow<{ secret_hash: Buffer; works: boolean }>(pool, storedKey, [
    keyId,
    secretHash,
  ]);
  if (row === null) return null;
  return {
    hash: row.secret_hash,
    caller: makeOperatorScope({ type: 'operator', key_id: keyId }),
    works: row.works,
  };
}
