import { EventEmitter, once } from 'node:events';
import { DomainError } from '../../errors/domain-error.ts';

/** An export holds a connection while it is read: one business may hold this many. */
const slotsOfTenant = 3;

/** How long a caller waits for its turn; exports are usually over within seconds. */
const patienceMilliseconds = 10_000;

const running = new Map<string, number>();
const freed = new EventEmitter().setMaxListeners(0);

/** A quarter of the pool at most, so that slow readers cannot keep payouts from being made. */
const placesOf = (poolSize: number): number => Math.max(2, Math.floor(poolSize / 4));

function isFull(tenantId: string, places: number, own: number): boolean {
  const all = [...running.values()].reduce((sum, count) => sum + count, 0);
  return all >= places || (running.get(tenantId) ?? 0) >= own;
}

/** Takes a place and returns the function that gives it back. */
function take(tenantId: string): () => void {
  running.set(tenantId, (running.get(tenantId) ?? 0) + 1);
  return () => {
    const left = (running.get(tenantId) ?? 1) - 1;
    if (left === 0) running.delete(tenantId);
    else running.set(tenantId, left);
    freed.emit('slot');
  };
}

/** A free place among the exports of this process, or null: for a job, which can come again. */
export function trySlot(tenantId: string, poolSize: number): (() => void) | null {
  return isFull(tenantId, placesOf(poolSize), slotsOfTenant) ? null : take(tenantId);
}

/**
 * Waits for a free place among the exports of this process. How long one is held is up to its reader,
 * so that a business gets half of them at most and leaves some to the others.
 * @returns the function that gives the place back
 * @throws `too_many_requests` when none becomes free in time
 */
export async function takeSlot(tenantId: string, poolSize: number): Promise<() => void> {
  const signal = AbortSignal.timeout(patienceMilliseconds);
  const places = placesOf(poolSize);
  const own = Math.max(1, Math.min(slotsOfTenant, Math.floor(places / 2)));
  while (isFull(tenantId, places, own)) {
    try {
      await once(freed, 'slot', { signal });
    } catch (cause) {
      throw new DomainError('too_many_requests', {
        message:
          'Too many exports are under way; retry when one of them has ended, or send `Prefer: respond-async` to have a job write the file.',
        cause,
      });
    }
  }
  return take(tenantId);
}
