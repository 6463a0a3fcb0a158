/**
 * Which deliveries may occupy the worker's slots, so that one slow or dead endpoint delays no other
 * business's deliveries (invariant L2). A tenant whose answers come slowly has one slot, all such
 * tenants together a third, and no tenant more than half. Who finds no slot is told when to come
 * again; the times are handed out one after the other, at the pace of the tenant's endpoint and
 * however far that leads, so that a backlog never knocks on the door all at once.
 *
 * Kept in memory for each worker: what one does not know of yet costs a time-out once.
 */
export interface Lanes {
  enter(tenantId: string): Entry;
}

export type Entry =
  | {
      readonly granted: true;
      /**
       * Frees the slot; takes what came of it, or null when the endpoint was not asked. An answer
       * says from time to time that deliveries which were put off may come sooner.
       */
      readonly leave: (answered: Answered | null) => Recall | null;
    }
  | { readonly granted: false; readonly waitMs: number };

export interface Answered {
  readonly tookMs: number;
  readonly delivered: boolean;
}

/** Deliveries to call back: how many at most, and how many milliseconds apart. */
export interface Recall {
  readonly most: number;
  readonly paceMs: number;
}

interface Lane {
  inFlight: number;
  /** How long the endpoint takes: a moving average, in which the latest attempt counts for half. */
  averageMs: number;
  /** The latest time that was handed out, in milliseconds since 1970. */
  reserved: number;
  recalledAt: number;
}

const slowMs = 1_000;
const shortestWaitMs = 200;
const firstGuessMs = 100;
const maximumLanes = 10_000;
const recallEveryMs = 60_000;
const maximumRecall = 10_000;

/**
 * @param slots jobs that this worker runs at a time
 * @param now milliseconds since 1970
 */
export function createLanes(slots: number, now: () => number = Date.now): Lanes {
  const lanes = new Map<string, Lane>();
  const half = Math.max(1, Math.floor(slots / 2));
  const third = Math.max(1, Math.floor(slots / 3));
  let slowInFlight = 0;

  const isSlow = ({ averageMs }: Lane): boolean => averageMs > slowMs;
  const shareOf = (lane: Lane): number => (isSlow(lane) ? 1 : half);
  const paceOf = (lane: Lane): number => Math.max(1, lane.averageMs / shareOf(lane));

  function laneOf(tenantId: string): Lane {
    let lane = lanes.get(tenantId);
    if (lane === undefined) {
      if (lanes.size >= maximumLanes) dropIdle(lanes, now());
      lane = { inFlight: 0, averageMs: firstGuessMs, reserved: 0, recalledAt: 0 };
      lanes.set(tenantId, lane);
    }
    return lane;
  }

  function wait(lane: Lane): number {
    const at = now();
    lane.reserved = Math.max(at + shortestWaitMs, lane.reserved + paceOf(lane));
    return Math.round(lane.reserved - at);
  }

  /** The times that were handed out to a slow endpoint do not fit one that has become fast. */
  function learn(lane: Lane, { tookMs }: Answered): void {
    const wasSlow = isSlow(lane);
    lane.averageMs = (lane.averageMs + tookMs) / 2;
    if (wasSlow && !isSlow(lane)) lane.reserved = now();
  }

  /**
   * What an endpoint that takes deliveries quickly can do in the time until the next recall, unless
   * its own queue fills that. It is asked of the rows, not remembered: another worker, or this one
   * before its restart, may have put them off.
   */
  function recall(lane: Lane): Recall | null {
    const at = now();
    const due = at >= lane.recalledAt + recallEveryMs && lane.reserved <= at + recallEveryMs;
    if (!due || isSlow(lane)) return null;
    lane.recalledAt = at;
    const paceMs = paceOf(lane);
    return { most: Math.min(maximumRecall, Math.floor(recallEveryMs / paceMs)), paceMs };
  }

  return {
    enter(tenantId) {
      const lane = laneOf(tenantId);
      const slow = isSlow(lane);
      if (lane.inFlight >= shareOf(lane) || (slow && slowInFlight >= third)) {
        return { granted: false, waitMs: wait(lane) };
      }
      lane.inFlight += 1;
      if (slow) slowInFlight += 1;
      return {
        granted: true,
        leave(answered) {
          lane.inFlight -= 1;
          if (slow) slowInFlight -= 1;
          if (answered === null) return null;
          learn(lane, answered);
          return answered.delivered ? recall(lane) : null;
        },
      };
    },
  };
}

/** Forgets the tenants that nothing is sent to and nothing waits for at the moment. */
function dropIdle(lanes: Map<string, Lane>, at: number): void {
  for (const [tenantId, lane] of lanes) {
    if (lane.inFlight === 0 && lane.reserved <= at) lanes.delete(tenantId);
  }
}
