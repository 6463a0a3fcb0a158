import type { Services } from '../process/services.ts';

/**
 * Which payouts may occupy the worker's slots, so that one tenant's many against a slow provider leave
 * room for everybody else's work (invariant L2): no tenant more than half of the slots. Who finds none
 * is told when to come again; the times are handed out one after the other, at the provider's pace,
 * for five minutes ahead. A provider that answers quickly
 * bounds nobody: its slots are free again before anybody would have waited.
 *
 * Kept in memory for each worker, and for a tenant only while it has a slot.
 */
export interface Turns {
  enter(tenantId: string): Turn;
}

export type Turn =
  | { readonly granted: true; readonly leave: () => void }
  | { readonly granted: false; readonly waitMs: number };

interface Lane {
  inFlight: number;
  /** The latest time that was handed out, on the clock. */
  reserved: number;
}

const slowMs = 200;
const shortestWaitMs = 200;
/** Within what `findLiveJobKeys` (src/queue/queue.ts) takes for a job that will run in time. */
const longestWaitMs = 300_000;

/**
 * @param slots jobs that this worker runs at a time
 * @param now milliseconds of a clock that does not run backwards
 */
export function createTurns(slots: number, now: () => number = () => performance.now()): Turns {
  const lanes = new Map<string, Lane>();
  const half = Math.max(1, Math.floor(slots / 2));
  /** How long a disbursement takes: a moving average, in which the latest counts for half. */
  let averageMs = 0;

  function wait(lane: Lane): number {
    const at = now();
    const next = Math.max(at + shortestWaitMs, lane.reserved + averageMs / half);
    // No place so far behind is kept: these come again spread, so that they do not come all at once.
    if (next - at > longestWaitMs) return longestWaitMs * (0.5 + Math.random() / 2);
    lane.reserved = next;
    return next - at;
  }

  return {
    enter(tenantId) {
      const lane = lanes.get(tenantId) ?? { inFlight: 0, reserved: 0 };
      if (lane.inFlight >= half && averageMs > slowMs) {
        return { granted: false, waitMs: wait(lane) };
      }
      lane.inFlight += 1;
      lanes.set(tenantId, lane);
      const startedAt = now();
      return {
        granted: true,
        leave() {
          averageMs = (averageMs + (now() - startedAt)) / 2;
          lane.inFlight -= 1;
          if (lane.inFlight === 0) lanes.delete(tenantId);
        },
      };
    },
  };
}

const turns = new WeakMap<Services, Turns>();

/** Those of this process's worker. */
export function turnsOf(services: Services): Turns {
  let known = turns.get(services);
  if (known === undefined) {
    known = createTurns(services.config.WORKER_CONCURRENCY);
    turns.set(services, known);
  }
  return known;
}
