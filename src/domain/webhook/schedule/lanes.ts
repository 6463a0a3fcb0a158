import {
  isDoubtful,
  isIdle,
  learn,
  learnThatItIsLong,
  newLane,
  recallFor,
  shareOf,
  nextTimeAfter,
  type AttemptResult,
  type Lane,
  type Recall,
} from './lane.ts';

/**
 * Decides which deliveries may occupy the worker's slots, so that one slow or dead endpoint delays no
 * other business's deliveries. A tenant's share of the slots depends on how its endpoint answers. It
 * is one slot before the first answer, while the endpoint is slow, and while it only fails; half of
 * the slots while it answers within a second; all of them while it answers at once, since others then
 * wait no longer than that. An attempt that takes long gives its slot back and goes on without one. A
 * delivery that gets no slot is given a time to try again. These times follow each other at the pace
 * of the tenant's endpoint, without a limit, so that a backlog never arrives all at once.
 *
 * This is no `FairShare` (src/concurrency): the share changes with each answer, an attempt can
 * outlive its slot, and replays have a queue of their own. Disbursements and mails need none of this.
 *
 * Kept in memory for each worker: a worker that does not know a slow endpoint yet finds out within a
 * second, at the cost of one slot.
 */
export interface Lanes {
  /** `replay`: the delivery is sent again among many, and goes after the tenant's others. */
  enter(tenantId: string, replay?: boolean): LaneEntry;
}

export type LaneEntry =
  | {
      readonly granted: true;
      /**
       * Gives the slot back while the attempt, which has taken long, goes on. False when so many
       * attempts have no slot that this one has to keep its own.
       */
      readonly giveSlotBack: () => boolean;
      /**
       * Ends it; takes the result, or null when the endpoint was not asked. From time to time the
       * return value says that deliveries which were put off may come sooner.
       */
      readonly leave: (result: AttemptResult | null) => Recall | null;
    }
  | { readonly granted: false; readonly waitMs: number };

const maximumLanes = 10_000;
/** How many attempts may go on without a slot, for each slot: each costs an open connection. */
const withoutSlotPerSlot = 10;

/**
 * @param slots jobs that this worker runs at a time
 * @param now milliseconds since 1970
 */
export function createLanes(slots: number, now: () => number = Date.now): Lanes {
  const lanes = new Map<string, Lane>();
  const half = Math.max(1, Math.floor(slots / 2));
  /** Slots of doubtful endpoints, slots of replays, and attempts without a slot. */
  const taken = { doubtful: 0, replays: 0, withoutSlot: 0 };

  function laneOf(tenantId: string): Lane {
    let lane = lanes.get(tenantId);
    if (lane === undefined) {
      if (lanes.size >= maximumLanes) dropIdle(lanes, now());
      lane = newLane();
      lanes.set(tenantId, lane);
    }
    return lane;
  }

  /** A replay may have half of the tenant's share, and nothing while the tenant's others wait. */
  function admits(lane: Lane, replay: boolean): boolean {
    const share = shareOf(lane, slots);
    if (isDoubtful(lane) && taken.doubtful >= half) return false;
    if (!replay) return lane.inFlight < share;
    const own = Math.max(1, Math.floor(share / 2));
    return lane.inFlight < own && taken.replays < half && lane.reserved <= now();
  }

  function grant(lane: Lane, replay: boolean): LaneEntry {
    const doubtful = isDoubtful(lane);
    let hasSlot = true;
    const take = (one: 1 | -1): void => {
      if (doubtful) taken.doubtful += one;
      if (replay) taken.replays += one;
    };
    lane.inFlight += 1;
    take(1);
    return {
      granted: true,
      giveSlotBack() {
        learnThatItIsLong(lane);
        if (taken.withoutSlot >= slots * withoutSlotPerSlot) return false;
        hasSlot = false;
        take(-1);
        taken.withoutSlot += 1;
        return true;
      },
      leave(result) {
        lane.inFlight -= 1;
        if (hasSlot) take(-1);
        else taken.withoutSlot -= 1;
        if (result === null) return null;
        learn(lane, result, now());
        return result.delivered ? recallFor(lane, slots, now()) : null;
      },
    };
  }

  return {
    enter(tenantId, replay = false) {
      const lane = laneOf(tenantId);
      if (admits(lane, replay)) return grant(lane, replay);
      return { granted: false, waitMs: nextTimeAfter(lane, slots, now(), replay) };
    },
  };
}

/** Forgets the tenants that have no attempt under way and no delivery that waits. */
function dropIdle(lanes: Map<string, Lane>, at: number): void {
  for (const [tenantId, lane] of lanes) {
    if (isIdle(lane, at)) lanes.delete(tenantId);
  }
}
