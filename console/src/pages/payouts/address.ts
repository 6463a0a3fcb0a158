/** Where a list's page stands, as its address says it. */
export interface PagePlace {
  readonly after?: string;
  readonly before?: string;
}

/** A value of an address as text: the router reads digits as a number. */
export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/** Reads an address's page; what is no cursor is left out. */
export function pageSearch(given: Record<string, unknown>): PagePlace {
  const [after, before] = [textOf(given['after']), textOf(given['before'])];
  return { ...(after === undefined ? {} : { after }), ...(before === undefined ? {} : { before }) };
}

/** So many rows has a page. */
const pageSize = 25;

/** A page as the variables of a list. */
export const pageVariables = ({ after, before }: PagePlace) =>
  before === undefined
    ? { first: pageSize, after: after ?? null, last: null, before: null }
    : { first: null, after: null, last: pageSize, before };
