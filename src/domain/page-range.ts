/** A part of a list between two positions, neither of which belongs to it. */
export interface PageRange {
  /** Rows behind this position in the list's order; null from its beginning. */
  readonly after: string | null;
  /** Rows in front of this position; null to its end. */
  readonly before: string | null;
  /** At most so many rows. */
  readonly take: number;
  /** Take the last ones, last first. */
  readonly backwards: boolean;
}

/** What Prisma is asked for a range of the rows that meet `where`, of a list that runs newest first. */
export function newestFirst<Where extends object>(
  where: Where,
  { after, before, take, backwards }: PageRange,
) {
  const id = {
    ...(after === null ? {} : { lt: after }),
    ...(before === null ? {} : { gt: before }),
  };
  return {
    // Beside the caller's condition, which may name ids as well.
    where:
      after === null && before === null ? where : { ...where, AND: [...conditions(where), { id }] },
    orderBy: { id: backwards ? ('asc' as const) : ('desc' as const) },
    take,
  };
}

function conditions(where: { readonly AND?: object | readonly object[] }): readonly object[] {
  const { AND: and = [] } = where;
  return Array.isArray(and) ? (and as readonly object[]) : [and];
}
