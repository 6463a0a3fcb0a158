import { longestWaitMs } from '../queue/queue.ts';
import { Slots } from './slots.ts';

/**
 * Which jobs may occupy the worker's slots, so that the many jobs of one tenant against a slow server
 * leave slots for everybody else. A job that gets no slot is told when to come again. The times of a
 * tenant are handed out one after the other, at the pace of the server, up to `longestWaitMs` ahead. A
 * server that answers quickly limits nobody: its slots are free again before anybody would have waited.
 *
 * Kept in memory for each worker, and for a tenant only while it has a slot.
 */
export interface FairShare {
  enter(tenantId: string): ShareEntry;
}

export type ShareEntry =
  | {
      readonly granted: true;
      /**
       * Gives the slot back. The share learns how long the server took: `tookMs`, or the whole stay where it is
       * absent. Null for a job that did not call the server, of which it learns nothing.
       */
      readonly leave: (tookMs?: number | null) => void;
    }
  | { readonly granted: false; readonly waitMs: number };

interface ShareLimits {
  /** How many jobs may run at a time while the server is slow: of all tenants, and of one. */
  readonly slots: number;
  readonly ofTenant: number;
}

/** The API of a bank or a provider commonly takes some hundred milliseconds. */
const slowMs = 400;
/** How much the latest job counts for how long one takes: a single slow answer makes no slow server. */
const weight = 1 / 8;
const shortestWaitMs = 200;
/** When all slots are taken, a job waits this long and up to twice as long, so that not all return at once. */
const spreadMs = 4_000;

/** @param now milliseconds of a clock that does not run backwards */
export function createFairShare(
  { slots: all, ofTenant }: ShareLimits,
  now: () => number = () => performance.now(),
): FairShare {
  const slots = new Slots({ slots: all, ofHolder: ofTenant, waiting: 0, waitMs: 0 });
  /** The latest time that was handed out to a tenant, on the clock. */
  const reserved = new Map<string, number>();
  /** How long a job waits for the server: a moving average. */
  let averageMs = 0;

  function wait(tenantId: string): number {
    if (slots.allTaken) return spreadMs * (1 + Math.random());
    const at = now();
    const next = Math.max(
      at + shortestWaitMs,
      (reserved.get(tenantId) ?? 0) + averageMs / ofTenant,
    );
    // No time so far ahead is reserved: these jobs are spread, so that they do not come all at once.
    if (next - at > longestWaitMs) return longestWaitMs * (0.5 + Math.random() / 2);
    reserved.set(tenantId, next);
    return next - at;
  }

  return {
    enter(tenantId) {
      if (averageMs > slowMs && !slots.isFree(tenantId)) {
        return { granted: false, waitMs: wait(tenantId) };
      }
      slots.take(tenantId);
      const startedAt = now();
      return {
        granted: true,
        leave(tookMs = now() - startedAt) {
          if (tookMs !== null) averageMs += (tookMs - averageMs) * weight;
          slots.leave(tenantId);
          if (slots.heldBy(tenantId) === 0) reserved.delete(tenantId);
        },
      };
    },
  };
}
