import { setTimeout as sleep } from 'node:timers/promises';
import { report } from '../../../tools/verify/verify.ts';
import type { World } from './world.ts';

/**
 * Waits until nothing is under way and every invariant holds. Throws with what is violated, and with
 * what the processes said, when that is not so within the time.
 */
export async function converge(world: World, patienceMs = 60_000): Promise<void> {
  const end = Date.now() + patienceMs;
  for (;;) {
    const violations = await world.violations(true);
    if (violations.length === 0) return;
    if (Date.now() > end) {
      const { api, worker } = world;
      throw new Error(
        `Not settled within ${patienceMs} ms:\n${report(violations)}\n\n${api.lines()}\n\n${worker.lines()}`,
      );
    }
    await sleep(250);
  }
}
