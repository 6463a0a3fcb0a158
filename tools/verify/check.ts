/** One promise of docs/promises.md and the query that finds what breaks it. */
export interface Check {
  /** The promise in docs/promises.md, such as `M1`. */
  readonly invariant: string;
  readonly promise: string;
  /** Selects `id` and `detail` of whatever breaks the promise. No rows when it holds. */
  readonly sql: string;
  /** Finds what cannot be compared, which breaks nothing. */
  readonly informs?: boolean;
}
