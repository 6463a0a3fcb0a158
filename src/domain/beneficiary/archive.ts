import type { Beneficiary } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import type { Call } from '../../services.ts';
import { beneficiaryNotFound, readBeneficiary } from './store.ts';
import { archive } from './write-store.ts';
import { isId } from '../../ids.ts';

/**
 * Archives a beneficiary for good: its address is free again, and it takes no changes and no new
 * payouts; those in flight go on (specification 3.1). A repetition gives the same answer. Throws
 * not_found, forbidden.
 */
export async function archiveBeneficiary(call: Call, id: string): Promise<Beneficiary> {
  requirePermission(call.scope, 'payees:write');
  if (!isId('beneficiary', id)) throw beneficiaryNotFound();
  const archived = await archive(call.services.pool, call.scope, id);
  return archived ?? readBeneficiary(call, id);
}
