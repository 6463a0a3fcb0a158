import { EventEmitter, once } from 'node:events';
import { DomainError } from '../../errors/domain-error.ts';

/** An export holds a connection for as long as its reader takes: one business may hold this many. */
const slotsOfTenant = 3;

/** How long a caller waits for its turn; exports are usually over within seconds. */
const patienceMilliseconds = 10_000;

const running = new Map<string, number>();
const freed = new EventEmitter().setMaxListeners(0);

/** A quarter of the pool at most, so that slow readers cannot keep payouts from being made. */
function isFull(tenantId: string, poolSize: number): boolean {
  const all = [...running.values()].reduce((sum, count) => sum + count, 0);
  return (
    all >= Math.max(2, Math.floor(poolSize / 4)) || (running.get(tenantId) ?? 0) >= slotsOfTenant
  );
}

/**
 * Waits for a free place among the exports of this process.
 * @returns the function that gives the place back
 * @throws `too_many_requests` when none becomes free in time
 */
export async function takeSlot(tenantId: string, poolSize: number): Promise<() => void> {
  const signal = AbortSignal.timeout(patienceMilliseconds);
  while (isFull(tenantId, poolSize)) {
    try {
      await once(freed, 'slot', { signal });
    } catch (cause) {
      throw new DomainError('too_many_requests', {
        message: 'Too many exports are under way; retry when one of them has ended.',
        cause,
      });
    }
  }
  running.set(tenantId, (running.get(tenantId) ?? 0) + 1);
  return () => {
    const left = (running.get(tenantId) ?? 1) - 1;
    if (left === 0) running.delete(tenantId);
    else running.set(tenantId, left);
    freed.emit('slot');
  };
}
