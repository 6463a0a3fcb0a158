import { longestWaitMs } from './queue.ts';

/**
 * How long to wait before asking again for an outcome that is not known. The pause follows from how
 * long the outcome has been unknown, so no tries have to be counted: it is as if each of `delays` had
 * been waited once, and then the last one again and again.
 *
 * @param since when the outcome was first asked for
 * @param delays seconds, at least one
 * @returns milliseconds, five minutes at most, spread by a tenth each way
 */
export function backoffMs(since: Date, delays: readonly number[]): number {
  const age = Date.now() - since.getTime();
  let waited = 0;
  let delay = longestWaitMs;
  for (const seconds of delays) {
    delay = seconds * 1_000;
    waited += delay;
    if (age < waited) break;
  }
  return Math.min(delay, longestWaitMs) * (0.9 + Math.random() * 0.2);
}
