/** One promise and the query that finds what breaks it. */
export interface Check {
  /** The line of the invariants, such as `M1`. */
  readonly invariant: string;
  readonly promise: string;
  /** Rows of `id` and `detail`: what breaks the promise. None when it holds. */
  readonly sql: string;
}
