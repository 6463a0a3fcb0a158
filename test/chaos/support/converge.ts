import { setTimeout as sleep } from 'node:timers/promises';
import { report } from '../../../tools/verify/verify.ts';
import { conditionMs } from '../../support/patience.ts';
import type { World } from './world.ts';

/** Many payouts, with their retries, have to come to their ends. */
export const convergenceMs = 3 * conditionMs;

/**
 * Waits until nothing is under way and every invariant holds. Throws with what is violated, and with
 * what the processes said, when that is not so within the time.
 */
export async function converge(world: World): Promise<void> {
  const end = Date.now() + convergenceMs;
  for (;;) {
    const violations = await world.violations(true);
    if (violations.length === 0) return;
    if (Date.now() > end) {
      const said = world.members.map((member) => member.lines());
      throw new Error(
        `Not settled within ${convergenceMs} ms:\n${report(violations)}\n\n${said.join('\n\n')}`,
      );
    }
    await sleep(500);
  }
}
