import { requirePermission } from '../../../access/scope.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import type { Call } from '../../../process/services.ts';
import { removeSubscription } from './subscription-store.ts';

/**
 * Deletes the tenant's subscription and cancels what is on its way to it; the records of its
 * deliveries stay. Returns its id. Throws not_found, forbidden.
 */
export async function deleteSubscription(call: Call): Promise<string> {
  requirePermission(call.scope, 'webhooks:write');
  const id = await removeSubscription(call.services.pool, call.scope);
  if (id === null) throw new DomainError('not_found');
  return id;
}
