import type { ScopedPrisma } from '../../src/db/prisma.ts';
import type { Context } from '../context.ts';
import { loadBy } from './loader.ts';

/**
 * Finds a row by its id, for all places of an operation in one query. Null where the tenant has no such row.
 * @param read the tenant's rows with one of these ids
 */
export function rowById<Row extends { readonly id: string }>(
  read: (prisma: ScopedPrisma, ids: string[]) => PromiseLike<readonly Row[]>,
): (context: Context, id: string) => Promise<Row | null> {
  return loadBy(
    async ({ scope, services }, ids: readonly string[]) => {
      const found = await read(services.scopedPrisma(scope), [...ids]);
      const byId = new Map(found.map((row) => [row.id, row]));
      return ids.map((id) => byId.get(id) ?? null);
    },
    (id) => id,
  );
}

export const beneficiaryById = rowById((prisma, ids) =>
  prisma.beneficiary.findMany({ where: { id: { in: ids } } }),
);

export const payoutById = rowById((prisma, ids) =>
  prisma.payout.findMany({ where: { id: { in: ids } } }),
);

/** A row that a foreign key promises. */
export function promised<Row>(row: Row | null): Row {
  if (row === null) throw new Error('a row names another one that does not exist');
  return row;
}

/**
 * Finds the rows that belong to a parent, for all parents of an operation in one query.
 * @param read the tenant's rows of these parents, in the order in which each parent shows them
 * @param parentOf the parent's id in a row
 */
export function rowsByParent<Row>(
  read: (prisma: ScopedPrisma, parents: string[]) => PromiseLike<readonly Row[]>,
  parentOf: (row: Row) => string | null,
): (context: Context, parent: string) => Promise<readonly Row[]> {
  return loadBy(
    async ({ scope, services }, parents: readonly string[]) => {
      const found = await read(services.scopedPrisma(scope), [...parents]);
      const byParent = Map.groupBy(found, parentOf);
      return parents.map((parent) => byParent.get(parent) ?? []);
    },
    (parent) => parent,
  );
}
