/**
 * What a caller gets to know about a limit, in the terms of the RateLimit header fields (IETF draft).
 */
export interface LimitState {
  /** Name of the policy. */
  readonly policy:
    | 'tenant'
    | 'registration'
    | 'authentication'
    | 'collection'
    | 'keyless'
    | 'provider-events'
    | 'sign-in';
  /** Requests that one window allows. */
  readonly quota: number;
  readonly windowSeconds: number;
  /** Requests that are left in the current window. */
  readonly remaining: number;
  /** Whole seconds until the window ends, at least 1 where something was used. */
  readonly resetSeconds: number;
  /** Whether the request at hand is over the limit. */
  readonly refused: boolean;
}

/** Seconds as the headers carry them: rounded up, so that a retry after them is not too early. */
export function wholeSeconds(milliseconds: number): number {
  return Math.max(1, Math.ceil(milliseconds / 1_000));
}
