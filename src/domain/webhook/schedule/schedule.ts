/** Seconds to wait after each failed attempt; there is no ninth attempt. */
export const defaultDelays: readonly number[] = [30, 120, 600, 1_800, 3_600, 7_200, 14_400];

/** A Retry-After is honoured up to this many times the delay. */
const longestStretch = 2;

/** Endpoints that failed together are not called again together. */
const jitter = 0.2;

export interface FailedAttempt {
  /** Number of the attempt that failed, from 1. */
  readonly attempt: number;
  readonly now: Date;
  /** What the answer's Retry-After asked for, in milliseconds. */
  readonly retryAfterMs: number | null;
  /** Seconds, as in WEBHOOK_RETRY_DELAYS; one attempt more is made than there are delays. */
  readonly delays?: readonly number[];
  /** From 0 up to, not including, 1. */
  readonly random?: () => number;
}

/**
 * When to try again after a failed attempt; null when it was the last one. The wait is the delay
 * ±20 %. A Retry-After of up to twice the delay is a lower bound of it, as RFC 9110 means it: a
 * receiver that always asks for one second must not use up its attempts in seven. A longer one is
 * ignored, since it could outlast the receiver's outage by days.
 * @throws RangeError when `attempt` is not a positive integer
 */
export function nextAttempt(failed: FailedAttempt): Date | null {
  const { attempt, now, retryAfterMs, delays = defaultDelays, random = Math.random } = failed;
  if (!Number.isInteger(attempt) || attempt < 1) {
    throw new RangeError(`attempt must be a positive integer, not ${attempt}`);
  }
  const seconds = delays[attempt - 1];
  if (seconds === undefined) return null;
  const delayMs = seconds * 1_000;
  const ownWaitMs = delayMs * (1 - jitter + 2 * jitter * random());
  const asked =
    retryAfterMs !== null && retryAfterMs <= longestStretch * delayMs ? retryAfterMs : 0;
  return new Date(now.getTime() + Math.round(Math.max(ownWaitMs, asked)));
}

/** The longest that `nextAttempt` can ask to wait with these delays, in seconds like them. */
export function longestWait(delays: readonly number[]): number {
  return longestStretch * Math.max(0, ...delays);
}
