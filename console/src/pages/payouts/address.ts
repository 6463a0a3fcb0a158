/** Where a list's page stands, as its address says it. */
export interface PagePlace {
  readonly after?: string | undefined;
  readonly before?: string | undefined;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Reads an address's page; what is no cursor is left out. */
export function pageSearch(given: Record<string, unknown>): PagePlace {
  return { after: textOf(given['after']), before: textOf(given['before']) };
}

/** So many rows has a page. */
export const pageSize = 25;

/** A page as the variables of a list. */
export const pageVariables = ({ after, before }: PagePlace) =>
  before === undefined
    ? { first: pageSize, after: after ?? null, last: null, before: null }
    : { first: null, after: null, last: pageSize, before };
