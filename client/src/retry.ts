import { secondsOf } from './errors.ts';

/** What one attempt came to: an answer, or none. */
export type Outcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly code: string;
      readonly headers: Headers;
    }
  | { readonly kind: 'none' };

/** Answers that say nothing about whether the request took effect, as a missing answer does. */
const unclearStatuses: readonly number[] = [502, 503, 504];

/** Lost races: nothing was written, and the same request may pass now. */
const lostRaces: readonly string[] = ['conflict', 'PAYOUT_CONCURRENCY_CONFLICT'];

const firstDelayMs = 250;
const longestDelayMs = 8_000;

/**
 * Whether an outcome is worth another attempt. 429 comes before any work, so every request may be
 * repeated. All else needs a request that takes effect once however often it is sent.
 * @param repeatable the request only reads, or has a key
 * @param keyed the request has a key
 */
export function isWorthAnother(
  outcome: Outcome,
  { repeatable, keyed }: { readonly repeatable: boolean; readonly keyed: boolean },
): boolean {
  if (outcome.kind === 'none') return repeatable;
  const { status, code } = outcome;
  if (status === 429) return true;
  if (unclearStatuses.includes(status)) return repeatable;
  return status === 409 && keyed && lostRaces.includes(code);
}

/**
 * Milliseconds to wait after the nth attempt: at least Retry-After, else doubled each time. Both are
 * varied at random, so that callers who failed together do not come back together.
 */
export function waitAfter(attempt: number, outcome: Outcome, random = Math.random()): number {
  const asked = outcome.kind === 'answer' ? secondsOf(outcome.headers.get('Retry-After')) : null;
  if (asked !== null) return asked * 1_000 * (1 + random / 10) + random * 50;
  return Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs) * (0.5 + random / 2);
}
