import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import { platformStatement, rows } from './pool.ts';
import { unavailable } from './unavailable.ts';

/** Outside of every job and request: what is done for many is part of no one's trace. */
const outside = AsyncLocalStorage.snapshot();

/** How long those who come later wait for a call, and a call of several items for a lock, in milliseconds. */
const briefMs = 500;

const waitingBrieflyHere = platformStatement({
  name: 'wait_briefly',
  text: `SELECT set_config('lock_timeout', '${briefMs}ms', true)`,
});

/**
 * For a transaction that takes several items, at its beginning: it fails soon where another one has a lock that one of
 * them needs. Each is then done alone, so only that one waits. Commands do the same in their bodies.
 */
export async function waitBriefly(client: PoolClient, items: readonly unknown[]): Promise<void> {
  if (items.length > 1) await rows(client, waitingBrieflyHere, []);
}

/** Work that many callers want at the same time and that is cheaper when it is done together. */
export interface Gather<Item, Result> {
  /**
   * One item's result, done together with others of the same pool and group; throws what its own work throws.
   * @param pool by which the work is done: what belongs to another one never travels with it
   */
  do(pool: Pool, group: string, item: Item): Promise<Result>;
}

/** Items of one call: at least one. */
type Some<Item> = readonly [Item, ...Item[]];

interface GatherLimits<Item> {
  /** Items of one call; 100 where it is absent. */
  readonly most?: number;
  /** Items that have one of these in common travel in calls of their own, which begin in the order of the items. */
  readonly apart?: (item: Item) => readonly string[];
}

/** Where a call belongs. */
interface CallGroup {
  readonly group: string;
  readonly pool: Pool;
}

interface GatheredCall<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Waits for work, but not for long. It goes on in any case. */
async function briefly(work: Promise<void>): Promise<void> {
  const { promise: long, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, briefMs);
  await Promise.race([work, long]);
  clearTimeout(timer);
}

/**
 * Gathers the items of each group: of one group one call is under way, and what comes meanwhile travels in the
 * next one. So nobody waits for others while little is going on, and the busier it gets the larger the calls are.
 * A call that takes long, since a row is locked, keeps nobody waiting who comes later.
 * A call that fails is repeated for each of its items alone, and for all of them at once, as if they had not been
 * gathered: neither what is wrong with one nor what it waits for is the others' fault.
 * It is not repeated where the database went away: whether the call took effect is then unknown, and each of
 * the callers knows how to find out.
 *
 * @param work does the items of one group, by their pool, and resolves with their results in the same order. All
 *   or nothing: where it throws, it has changed nothing, or the repetition would do it twice
 */
export function createGather<Item, Result>(
  work: (group: string, items: Some<Item>, pool: Pool) => Promise<readonly Result[]>,
  { most = 100, apart }: GatherLimits<Item> = {},
): Gather<Item, Result> {
  const pools = new WeakMap<Pool, Map<string, GatheredCall<Item, Result>[]>>();

  async function one(
    { group, pool }: CallGroup,
    { item, resolve, reject }: GatheredCall<Item, Result>,
  ): Promise<void> {
    try {
      const [result] = await work(group, [item], pool);
      resolve(result as Result);
    } catch (error) {
      reject(error);
    }
  }

  async function together(
    place: CallGroup,
    all: readonly GatheredCall<Item, Result>[],
  ): Promise<void> {
    const [first, ...others] = all;
    if (first === undefined) return;
    if (others.length === 0) return one(place, first);
    let results: readonly Result[];
    try {
      const items: Some<Item> = [first.item, ...others.map(({ item }) => item)];
      results = await work(place.group, items, place.pool);
    } catch (error) {
      if (unavailable(error)) for (const { reject } of all) reject(error);
      else await Promise.all(all.map((waiting) => one(place, waiting)));
      return;
    }
    all.forEach(({ resolve }, index) => resolve(results[index] as Result));
  }

  /** Takes those that travel in the next call from those that wait. */
  function next(waiting: GatheredCall<Item, Result>[]): GatheredCall<Item, Result>[] {
    if (apart === undefined) return waiting.splice(0, most);
    const taken: GatheredCall<Item, Result>[] = [];
    const left: GatheredCall<Item, Result>[] = [];
    const seen = new Set<string>();
    for (const one of waiting.splice(0)) {
      const keys = apart(one.item);
      const free = taken.length < most && keys.every((key) => !seen.has(key));
      (free ? taken : left).push(one);
      for (const key of keys) seen.add(key);
    }
    waiting.push(...left);
    return taken;
  }

  async function run(
    groups: Map<string, GatheredCall<Item, Result>[]>,
    place: CallGroup,
    waiting: GatheredCall<Item, Result>[],
  ): Promise<void> {
    while (waiting.length > 0) {
      // Those of the same turn of the event loop travel together from the start.
      await new Promise(setImmediate);
      await briefly(together(place, next(waiting)));
    }
    groups.delete(place.group);
  }

  return {
    do(pool, group, item) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const wanted = { item, resolve, reject };
      const groups = pools.get(pool) ?? new Map<string, GatheredCall<Item, Result>[]>();
      pools.set(pool, groups);
      const waiting = groups.get(group);
      if (waiting !== undefined) {
        waiting.push(wanted);
      } else {
        const fresh = [wanted];
        groups.set(group, fresh);
        outside(() => void run(groups, { group, pool }, fresh));
      }
      return promise;
    },
  };
}
