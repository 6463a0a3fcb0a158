import DataLoader from 'dataloader';
import { findRequests, type StoredRequest } from '../../src/domain/collection/request.ts';
import {
  findTaxDocuments,
  type StoredDocument,
} from '../../src/domain/collection/tax-document-store.ts';
import type { Call } from '../../src/services.ts';
import type { Context } from '../context.ts';

/** Reads what belongs to a beneficiary, for all beneficiaries of an operation in one query. */
function byBeneficiary<T extends { readonly beneficiaryId: string }>(
  read: (call: Call, beneficiaryIds: readonly string[]) => Promise<T[]>,
): (context: Context, beneficiaryId: string) => Promise<readonly T[]> {
  const loaders = new WeakMap<Context, DataLoader<string, readonly T[]>>();
  return (context, beneficiaryId) => {
    let loader = loaders.get(context);
    if (loader === undefined) {
      loader = new DataLoader<string, readonly T[]>(async (ids) => {
        const found = Map.groupBy(await read(context.call, ids), (one) => one.beneficiaryId);
        return ids.map((id) => found.get(id) ?? []);
      });
      loaders.set(context, loader);
    }
    return loader.load(beneficiaryId);
  };
}

/** The collection requests of a beneficiary, the latest hundred, newest first. */
export const requestsOf = byBeneficiary<StoredRequest>(findRequests);

/** The tax documents of a beneficiary, the latest hundred, oldest first. */
export const taxDocumentsOf = byBeneficiary<StoredDocument>(findTaxDocuments);
