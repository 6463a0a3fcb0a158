import DataLoader from 'dataloader';
import { ownersOfUsableAccounts } from '../../src/domain/bank-account/store.ts';
import type { Context } from '../context.ts';

const loaders = new WeakMap<Context, DataLoader<string, boolean>>();

/**
 * Whether a beneficiary has a payout-usable bank account; one query for all of an operation. Not
 * Prisma's `_count`: it aggregates the accounts of the whole tenant for each page, which took more
 * than 120 ms with 100,000 of them where this takes one.
 */
export function hasUsableAccount(context: Context, beneficiaryId: string): Promise<boolean> {
  let loader = loaders.get(context);
  if (loader === undefined) {
    loader = new DataLoader<string, boolean>(async (ids) => {
      const owners = await ownersOfUsableAccounts(context.call, ids);
      return ids.map((id) => owners.has(id));
    });
    loaders.set(context, loader);
  }
  return loader.load(beneficiaryId);
}
