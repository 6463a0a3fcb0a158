import { setTimeout as sleep } from 'node:timers/promises';
import { converge } from './converge.ts';
import { startLoad } from './load.ts';
import type { Pair } from './pair.ts';
import { query } from './standby.ts';
import type { World } from './world.ts';

interface FailoverOptions {
  readonly failovers: number;
  /** From 0 up to 1; everything that is chosen is chosen by it. */
  readonly random: () => number;
  readonly print: (line: string) => void;
}

/** Payouts that are acknowledged before each failover, and after the last one. */
const payoutsBetween = 20;
const longestPauseMs = 400;

/**
 * Keeps payouts coming while the primary is killed and its standby takes over, and waits until everything is
 * settled. Returns how many payouts were acknowledged; all of them are there, and none was paid twice.
 * @throws Error with what is missing or violated
 */
export async function runFailovers(
  world: World,
  pair: Pair,
  { failovers, random, print }: FailoverOptions,
): Promise<number> {
  const load = await startLoad(world);
  const more = async (): Promise<void> => {
    const enough = load.acknowledged().length + payoutsBetween;
    while (load.acknowledged().length < enough) {
      const failure = load.failure();
      if (failure !== null) throw failure;
      await sleep(20);
    }
  };
  try {
    for (let failover = 1; failover <= failovers; failover += 1) {
      await pair.addStandby();
      await more();
      await sleep(random() * longestPauseMs);
      await pair.failOver();
      print(`${failover} failovers, ${load.acknowledged().length} payouts acknowledged`);
    }
    await more();
  } finally {
    await load.stop();
  }
  const acknowledged = load.acknowledged();
  const rows = await query<{ id: string }>(pair.ownerUrl, 'SELECT id FROM payout');
  const kept = new Set(rows.map(({ id }) => id));
  const lost = acknowledged.filter((id) => !kept.has(id));
  if (lost.length > 0) throw new Error(`acknowledged and lost: ${lost.join(', ')}`);
  await converge(world);
  return acknowledged.length;
}
