import { findRequests, type StoredRequest } from '../../src/domain/collection/request.ts';
import {
  findTaxDocuments,
  type StoredDocument,
} from '../../src/domain/collection/tax-document-store.ts';
import type { Call } from '../../src/process/services.ts';
import type { Context } from '../context.ts';
import { loadBy } from '../lists/loader.ts';

/** Reads what belongs to a beneficiary, for all beneficiaries of an operation in one query. */
function byBeneficiary<T extends { readonly beneficiaryId: string }>(
  read: (call: Call, beneficiaryIds: readonly string[]) => Promise<T[]>,
): (context: Context, beneficiaryId: string) => Promise<readonly T[]> {
  return loadBy(
    async (call, ids: readonly string[]): Promise<readonly (readonly T[])[]> => {
      const found = Map.groupBy(await read(call, ids), (one) => one.beneficiaryId);
      return ids.map((id) => found.get(id) ?? []);
    },
    (id) => id,
  );
}

/** The collection requests of a beneficiary, the latest hundred, newest first. */
export const requestsOf = byBeneficiary<StoredRequest>(findRequests);

/** The tax documents of a beneficiary, the latest hundred, oldest first. */
export const taxDocumentsOf = byBeneficiary<StoredDocument>(findTaxDocuments);
