import { requirePermission } from '../../../access/scope.ts';
import { inTransaction } from '../../../db/pool.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import type { Call } from '../../../process/services.ts';
import { withdrawAddress } from './address.ts';
import { removeSubscription } from './subscription-store.ts';

/**
 * Deletes the tenant's subscription and cancels what is on its way to it; the records of its
 * deliveries stay. Returns its id. Throws not_found, forbidden.
 */
export async function deleteSubscription(call: Call): Promise<string> {
  requirePermission(call.scope, 'webhooks:write');
  const id = await inTransaction(call.services.pool, async (client) => {
    const gone = await removeSubscription(client, call.scope);
    // Whoever registers one again begins anew.
    if (gone !== null) await withdrawAddress(client, call.scope);
    return gone;
  });
  if (id === null) throw new DomainError('not_found');
  return id;
}
