import type { Allowance } from '../src/access/admission/admission.ts';
import type { LimitState } from '../src/access/rate-limit/limit.ts';
import type { Refusal } from '../src/access/refusal.ts';
import type { Caller } from '../src/access/scope.ts';

/** What the HTTP layer adds to a request before it reaches GraphQL. */
export interface HttpFacts {
  readonly requestId: string;
  readonly clientAddress: string | null;
  /** Null when the request showed no valid key. */
  readonly caller: Caller | null;
  /** Why there is no caller. */
  readonly refusal: Refusal;
  readonly reportLimit: (limit: LimitState) => void;
  /** What the request may use; null until it was let in. */
  readonly allowance: Allowance | null;
}
