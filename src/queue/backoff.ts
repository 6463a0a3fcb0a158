/** Within what `findLiveJobKeys` (src/queue/queue.ts) takes for a job that will run in time. */
const longestPauseMs = 300_000;

/**
 * How long to wait before asking again for an outcome that is not known. The pause follows from the
 * age of the matter, so that it grows whatever kept the outcome from being known, and nothing has to
 * be counted: as if each of `delays` had been waited once, the last one over and over.
 *
 * @param since when the matter began
 * @param delays seconds, at least one
 * @returns milliseconds, five minutes at most, spread by a tenth each way
 */
export function pauseMs(since: Date, delays: readonly number[]): number {
  const age = Date.now() - since.getTime();
  let waited = 0;
  let delay = longestPauseMs;
  for (const seconds of delays) {
    delay = seconds * 1_000;
    waited += delay;
    if (age < waited) break;
  }
  return Math.min(delay, longestPauseMs) * (0.9 + Math.random() * 0.2);
}
