/** How one tenant's endpoint answers, and the times that its deliveries were given. */
export interface Lane {
  inFlight: number;
  /** How long the endpoint takes: a moving average, in which the latest attempt counts for half. */
  averageMs: number;
  /** Whether it has answered, or is known to take long. */
  known: boolean;
  /** Attempts since the latest 2xx. */
  failures: number;
  /** The latest times that were handed out, in milliseconds since 1970: to replays, and to others. */
  reserved: number;
  reservedByReplays: number;
  recalledAt: number;
}

export interface AttemptResult {
  readonly tookMs: number;
  readonly delivered: boolean;
}

/** Deliveries to bring forward: how many at most, and how many milliseconds apart. */
export interface Recall {
  readonly most: number;
  readonly paceMs: number;
}

/** An endpoint that takes longer is slow, and an attempt that takes longer gives its slot back. */
export const slowMs = 1_000;
const quickMs = 100;
const firstGuessMs = 100;
/** Most endpoints answer within milliseconds; one that does not is known as slow within a second. */
const unknownPaceMs = 5;
/** Failures in a row after which an endpoint is tried one at a time, until it takes something. */
const manyFailures = 5;
const shortestWaitMs = 200;
const recallEveryMs = 60_000;
const maximumRecall = 10_000;

/** The lane of an endpoint that nothing is known about. */
export function newLane(): Lane {
  return {
    inFlight: 0,
    averageMs: firstGuessMs,
    known: false,
    failures: 0,
    reserved: 0,
    reservedByReplays: 0,
    recalledAt: 0,
  };
}

const isSlow = ({ averageMs }: Lane): boolean => averageMs > slowMs;
const isFailing = ({ failures }: Lane): boolean => failures >= manyFailures;

/** Whether an attempt is likely to fail or to take long: then one at a time must do. */
export function isDoubtful(lane: Lane): boolean {
  return !lane.known || isSlow(lane) || isFailing(lane);
}

/** How many attempts the tenant may have at a time, of a worker's slots. */
export function shareOf(lane: Lane, slots: number): number {
  if (isDoubtful(lane)) return 1;
  return lane.averageMs > quickMs ? Math.max(1, Math.floor(slots / 2)) : slots;
}

/** Milliseconds from one attempt to the next. Until an endpoint has answered, all that wait come again soon. */
function paceOf(lane: Lane, slots: number): number {
  if (!lane.known) return unknownPaceMs;
  const least = isFailing(lane) ? quickMs : 1;
  return Math.max(least, lane.averageMs / shareOf(lane, slots));
}

/** Hands out the next time, behind those handed out before; milliseconds from `at` until then. */
export function nextTimeAfter(lane: Lane, slots: number, at: number, replay: boolean): number {
  const pace = paceOf(lane, slots);
  if (!replay) {
    lane.reserved = Math.max(at + shortestWaitMs, lane.reserved + pace);
    return Math.round(lane.reserved - at);
  }
  const earliest = Math.max(lane.reserved, lane.reservedByReplays) + pace;
  lane.reservedByReplays = Math.max(at + shortestWaitMs, earliest);
  return Math.round(lane.reservedByReplays - at);
}

/** Notes that an attempt has not ended after `slowMs`: from then on the endpoint counts as slow. */
export function learnThatItIsLong(lane: Lane): void {
  lane.known = true;
  lane.averageMs = Math.max(lane.averageMs, slowMs + 1);
}

/**
 * Notes an attempt that has ended. The times that were handed out while an endpoint was slow, failing or unknown
 * are too late for one that is quick, so they are forgotten.
 */
export function learn(lane: Lane, { tookMs, delivered }: AttemptResult, at: number): void {
  const wasHeldBack = isDoubtful(lane);
  lane.known = true;
  lane.averageMs = (lane.averageMs + tookMs) / 2;
  lane.failures = delivered ? 0 : lane.failures + 1;
  if (!wasHeldBack || isDoubtful(lane)) return;
  lane.reserved = at;
  lane.reservedByReplays = at;
}

/**
 * How many deliveries a quick endpoint can take until the next recall; null where the times already
 * handed out fill that, or a recall was made recently. The deliveries are found in the database and not
 * remembered here: another worker, or this one before its restart, may have put them off.
 */
export function recallFor(lane: Lane, slots: number, at: number): Recall | null {
  const due = at >= lane.recalledAt + recallEveryMs && lane.reserved <= at + recallEveryMs;
  if (!due || isSlow(lane)) return null;
  lane.recalledAt = at;
  const paceMs = paceOf(lane, slots);
  return { most: Math.min(maximumRecall, Math.floor(recallEveryMs / paceMs)), paceMs };
}

/** Whether the tenant has no attempt under way and no delivery that waits. */
export function isIdle(lane: Lane, at: number): boolean {
  return lane.inFlight === 0 && Math.max(lane.reserved, lane.reservedByReplays) <= at;
}
