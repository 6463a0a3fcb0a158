import { AsyncLocalStorage } from 'node:async_hooks';
import { unavailable } from './unavailable.ts';

/** Outside of every job and request: what is done for many is part of no one's trace. */
const outside = AsyncLocalStorage.snapshot();

/** Work that many callers want at the same time and that is cheaper when it is done together. */
export interface Gather<Item, Result> {
  /** One item's result, done together with others of the same group; throws what its own work throws. */
  do(group: string, item: Item): Promise<Result>;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers the items of each group: of one group one call is under way, and what comes meanwhile travels in the
 * next one. So nobody waits for others while little is going on, and the busier it gets the larger the calls are.
 * A call that fails is repeated for each of its items alone: what is wrong with one is not the others' fault.
 * It is not repeated where the database went away: whether the call took effect is then unknown, and each of
 * the callers knows how to find out.
 *
 * @param most items of one call
 * @param work does the items of one group, and resolves with their results in the same order
 */
export function createGather<Item, Result>(
  most: number,
  work: (group: string, items: readonly Item[]) => Promise<readonly Result[]>,
): Gather<Item, Result> {
  const groups = new Map<string, Waiting<Item, Result>[]>();

  async function one(
    group: string,
    { item, resolve, reject }: Waiting<Item, Result>,
  ): Promise<void> {
    try {
      const [result] = await work(group, [item]);
      resolve(result as Result);
    } catch (error) {
      reject(error);
    }
  }

  async function together(group: string, all: readonly Waiting<Item, Result>[]): Promise<void> {
    const [first] = all;
    if (all.length === 1 && first !== undefined) return one(group, first);
    let results: readonly Result[];
    try {
      results = await work(
        group,
        all.map(({ item }) => item),
      );
    } catch (error) {
      if (unavailable(error)) for (const { reject } of all) reject(error);
      else for (const waiting of all) await one(group, waiting);
      return;
    }
    all.forEach(({ resolve }, index) => resolve(results[index] as Result));
  }

  async function run(group: string, waiting: Waiting<Item, Result>[]): Promise<void> {
    while (waiting.length > 0) {
      // Those of the same turn of the event loop travel together from the start.
      await new Promise(setImmediate);
      await together(group, waiting.splice(0, most));
    }
    groups.delete(group);
  }

  return {
    do(group, item) {
      const { promise, resolve, reject } = Promise.withResolvers<Result>();
      const place = { item, resolve, reject };
      const waiting = groups.get(group);
      if (waiting !== undefined) {
        waiting.push(place);
      } else {
        const fresh = [place];
        groups.set(group, fresh);
        outside(() => void run(group, fresh));
      }
      return promise;
    },
  };
}
