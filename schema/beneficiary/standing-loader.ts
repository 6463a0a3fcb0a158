import DataLoader from 'dataloader';
import { findStatusFacts, type StatusFacts } from '../../src/domain/beneficiary/status-facts.ts';
import type { Context } from '../context.ts';

const loaders = new WeakMap<Context, DataLoader<string, StatusFacts>>();

/** The facts behind a beneficiary's status; one query for all of an operation. */
export function statusFactsOf(context: Context, beneficiaryId: string): Promise<StatusFacts> {
  let loader = loaders.get(context);
  if (loader === undefined) {
    loader = new DataLoader<string, StatusFacts>(async (ids) => {
      const found = new Map((await findStatusFacts(context.call, ids)).map((one) => [one.id, one]));
      return ids.map((id) => found.get(id) ?? new Error('every beneficiary has its facts'));
    });
    loaders.set(context, loader);
  }
  return loader.load(beneficiaryId);
}
