import { setTimeout as sleep } from 'node:timers/promises';
import { crashPoints } from '../../../src/process/crash-point.ts';
import type { Lie } from '../../../simulator/lies.ts';
import { startLoad } from './load.ts';
import type { World } from './world.ts';

interface StormOptions {
  readonly kills: number;
  /** From 0 up to 1; everything that is chosen is chosen by it. */
  readonly random: () => number;
  /** The point at which the next lives end; null for none. */
  readonly armNext: (point: string | null) => void;
  readonly restartPostgres: () => Promise<void>;
  readonly print: (line: string) => void;
}

const longestPauseMs = 1_200;

/**
 * Keeps payouts coming while processes die at random moments and points, PostgreSQL restarts now and
 * then, and the provider's faults change. Ends without faults and without armed points.
 */
export async function runStorm(world: World, options: StormOptions): Promise<void> {
  const { random, print } = options;
  const pick = <T>(from: readonly T[]): T => {
    const picked = from[Math.floor(random() * from.length)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  };
  const load = await startLoad(world);
  try {
    for (let kill = 1; kill <= options.kills; kill += 1) {
      if (kill % 5 === 1) await world.setFaults(faults(random));
      options.armNext(
        random() < 0.6 ? `${pick(crashPoints)}:${1 + Math.floor(random() * 5)}` : null,
      );
      await sleep(random() * longestPauseMs);
      if (random() < 0.04) {
        await options.restartPostgres();
        print(`${kill}: PostgreSQL restarted`);
      } else pick([world.api, world.worker]).kill();
      if (kill % 25 === 0) print(`${kill} kills, ${load.made()} payouts`);
      const failure = load.failure();
      if (failure !== null) throw failure;
    }
  } finally {
    options.armNext(null);
    await world.setFaults({});
    // Whoever still lives with an armed point would die once more; now is better than later.
    world.api.kill();
    world.worker.kill();
    await load.stop();
  }
  const failure = load.failure();
  if (failure !== null) throw failure;
}

const lies: readonly Lie[] = [
  'wrong_amount',
  'wrong_currency',
  'no_amount',
  'second_payment',
  'disbursed_after_failed',
];

function faults(random: () => number): object {
  const some = (): number => (random() < 0.3 ? Math.ceil(random() * 4) : 0);
  const on = random() < 0.7 ? 'payouts' : 'all';
  return {
    on,
    slow_ms: random() < 0.2 ? Math.floor(random() * 600) : 0,
    // A refused enrollment would end all payouts to its payee.
    refuse: on === 'payouts' && random() < 0.2 ? 1 : 0,
    rate_limited: some(),
    error_before_accept: some(),
    error_after_accept: some(),
    drop_after_accept: some(),
    silent: some(),
    repeat_events: Math.floor(random() * 3),
    reorder_events: random() < 0.3,
    early_event: random() < 0.3,
    delay_events_ms: random() < 0.2 ? Math.floor(random() * 500) : 0,
    // Without an amount an event is refused until it has one, and enrollments are none of these lies.
    lie: random() < 0.2 ? lies[Math.floor(random() * lies.length)] : null,
    lie_in: ['submissions', 'lookups', 'events'],
  };
}
