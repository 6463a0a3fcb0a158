import type { PoolClient } from 'pg';
import type { ApiKey } from '../../../generated/prisma/client.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError, notFound } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { requireCovers, requireManager } from './authority.ts';
import { lockActing } from './governance.ts';
import { confirmKey, findKeyRole, revokeKey } from './key-store.ts';

/** Runs `change` while the business is locked: a key or session that is just being ended changes no key. */
function acting<Result>(
  { scope, services }: Call,
  change: (client: PoolClient) => Promise<Result>,
): Promise<Result> {
  return inTransaction(services.pool, async (client) => {
    await lockActing(client, scope);
    return change(client);
  });
}

/**
 * Revokes an API key of the caller's environment: it stops working within a second on every process.
 * The caller's own may be revoked too, and repeating it changes nothing. Throws not_found, and
 * forbidden where the caller's role does not cover the key's; unauthorized where the caller's key or session was
 * ended a moment ago.
 */
export async function revokeApiKey(call: Call, id: string): Promise<ApiKey> {
  const { scope, services } = call;
  const actor = requireManager(scope);
  const known = isId('apiKey', id);
  const revoked = known
    ? await acting(call, (client) => revokeKey(client, scope, id, actor.role))
    : null;
  if (revoked !== null) return revoked;
  const role = known ? await findKeyRole(services.pool, scope, id) : null;
  if (role === null) throw notFound('API key');
  requireCovers(actor, role);
  throw new Error('a key that is there and covered is always revoked');
}

/**
 * Confirms an API key of the caller's environment that was made before the address of the business was proven, so that it
 * works again. Of a key that works nothing changes. Throws not_found, forbidden where the caller's role does
 * not cover the key's, conflict for one that was revoked; unauthorized as `revokeApiKey`.
 */
export async function confirmApiKey(call: Call, id: string): Promise<ApiKey> {
  const { scope, services } = call;
  const actor = requireManager(scope);
  const known = isId('apiKey', id);
  const confirmed = known
    ? await acting(call, (client) => confirmKey(client, scope, id, actor.role))
    : null;
  if (confirmed !== null) return confirmed;
  const role = known ? await findKeyRole(services.pool, scope, id) : null;
  if (role === null) throw notFound('API key');
  requireCovers(actor, role);
  throw new DomainError('conflict', { message: 'The key was revoked. Make another one.' });
}
