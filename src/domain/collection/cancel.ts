import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError, notFound } from '../../errors/domain-error.ts';
import { isId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { endLiveRequest } from '../beneficiary/end-request.ts';
import { lockBeneficiary } from '../beneficiary/store.ts';
import { findRequest, isRequestId, type StoredRequest } from './request.ts';

/**
 * Cancels a live collection request: its link stops working, and what the payee had saved is deleted. Repeating it gives the same answer, and so does canceling one that ended without being used.
 * Throws not_found, conflict for one whose details were submitted, forbidden.
 */
export async function cancelRequest(
  call: Call,
  beneficiaryId: string,
  id: string,
): Promise<StoredRequest> {
  const { services, scope } = call;
  requirePermission(scope, 'payees:write');
  if (!isId('beneficiary', beneficiaryId) || !isRequestId(id)) throw notFound('collection request');
  const request = await inTransaction(services.pool, async (client) => {
    await lockBeneficiary(client, scope, beneficiaryId);
    await endLiveRequest(client, scope, beneficiaryId, { as: 'canceled', id });
    return findRequest(client, scope, beneficiaryId, id);
  });
  if (request === null) throw notFound('collection request');
  if (request.state !== 'submitted') return request;
  throw new DomainError('conflict', {
    message:
      'The details were submitted already, so there is nothing to cancel; GET /v1/beneficiaries/{id} shows them.',
  });
}
