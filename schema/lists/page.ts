/** How many rows a list has. */
export interface ListTotal {
  /** The number, or as far as it was counted. */
  readonly count: number;
  /** Whether there are no more than `count`. */
  readonly exact: boolean;
}

/** A list is counted up to this many rows. */
export const mostCounted = 10_000;

export interface PageInfo {
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly startCursor: string | null;
  readonly endCursor: string | null;
}

export interface ListPage<Row> {
  readonly edges: { readonly cursor: string; readonly node: Row }[];
  readonly pageInfo: PageInfo;
  /** Counts the list, in a statement that is sent when it is called; null for a list that is not counted. */
  readonly total: (() => Promise<ListTotal>) | null;
}

/** Which rows of a list a caller asks for. */
export interface PageArgs {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  readonly last?: number | null | undefined;
  readonly before?: string | null | undefined;
}
