import type { Beneficiary } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { notFound } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { endLiveRequest } from './end-request.ts';
import { lockBeneficiary } from './store.ts';
import { archive } from './write-store.ts';

/**
 * Archives a beneficiary, which cannot be undone: its address is free again, a live collection link
 * ends, and it takes no changes and no new payouts. Payouts that exist go on. A repetition gives the
 * same answer. Throws not_found, forbidden.
 */
export function archiveBeneficiary(call: Call, id: string): Promise<Beneficiary> {
  const { services, scope } = call;
  requirePermission(scope, 'payees:write');
  return inTransaction(services.pool, async (client) => {
    // Whatever begins or ends a collection request locks the beneficiary first, and so sees the others' work.
    const current = await lockBeneficiary(client, scope, id);
    if (current === null) throw notFound('beneficiary');
    if (current.archivedAt !== null) return current;
    await endLiveRequest(client, scope, id, { as: 'canceled', reason: 'archived' });
    return (await archive(client, scope, id)) ?? current;
  });
}
