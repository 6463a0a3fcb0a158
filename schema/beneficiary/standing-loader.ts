import DataLoader from 'dataloader';
import { findStandings, type Standing } from '../../src/domain/beneficiary/status-facts.ts';
import type { Context } from '../context.ts';

const loaders = new WeakMap<Context, DataLoader<string, Standing>>();

/** What a beneficiary's standing depends on; one query for all of an operation. */
export function standingOf(context: Context, beneficiaryId: string): Promise<Standing> {
  let loader = loaders.get(context);
  if (loader === undefined) {
    loader = new DataLoader<string, Standing>(async (ids) => {
      const found = new Map((await findStandings(context.call, ids)).map((one) => [one.id, one]));
      return ids.map((id) => found.get(id) ?? new Error('a beneficiary has a standing'));
    });
    loaders.set(context, loader);
  }
  return loader.load(beneficiaryId);
}
