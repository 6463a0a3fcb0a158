import { describe, expect, it, vi } from 'vitest';
import { mapInTurns, spreadOverTurns, Turns } from '../../src/concurrency/event-loop.ts';

const spin = (ms: number): void => {
  const end = performance.now() + ms;
  while (performance.now() < end);
};

/** Turns that the event loop takes while `work` runs. */
async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let [turns, over] = [0, false];
  const count = (): void => {
    turns += 1;
    if (!over) setImmediate(count);
  };
  setImmediate(count);
  await work();
  over = true;
  return turns;
}

/** The milliseconds for which long work pauses while `work` runs. Timers of others in this process do not count. */
async function pausesDuring(work: () => Promise<unknown>): Promise<number[]> {
  const pauses: number[] = [];
  const wait = setTimeout;
  const timers = vi
    .spyOn(globalThis, 'setTimeout')
    .mockImplementation((then: () => void, ms = 0) => {
      if (new Error().stack?.includes('src/concurrency/event-loop.ts') === true) pauses.push(ms);
      return wait(then, ms);
    });
  try {
    await work();
    return pauses;
  } finally {
    timers.mockRestore();
  }
}

describe('mapInTurns', () => {
  it('keeps order and index, and lets others in between', async () => {
    const items = Array.from({ length: 10 }, (_, i) => i);
    let results: number[] = [];
    const turns = await turnsDuring(async () => {
      results = await mapInTurns(items, (item, index) => {
        spin(6);
        return item * 10 + index;
      });
    });
    expect(results).toEqual(items.map((i) => i * 11));
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it('fails as its work does', async () => {
    const failing = mapInTurns([1], () => {
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
  });
});

describe('spreadOverTurns', () => {
  it('gives a long list over several turns, in its order', async () => {
    const items = Array.from({ length: 1_000 }, (_, i) => i);
    const turns = await turnsDuring(async () => {
      const given = spreadOverTurns(items).map((item) => Promise.resolve(item));
      expect(await Promise.all(given)).toEqual(items);
    });
    expect(turns).toBeGreaterThanOrEqual(15);
  });

  it('leaves a short one as it is', () => {
    const items = [1, 2, 3];
    expect(spreadOverTurns(items)).toBe(items);
  });
});

describe('turns of a holder', () => {
  it('end once its work has taken long, and go on in the next', async () => {
    const turns = new Turns();
    expect(turns.next()).toBeUndefined();
    spin(10);
    const order: string[] = [];
    const later = turns.next()?.then(() => order.push('later'));
    expect(later).toBeDefined();
    const last = turns.next()?.then(() => order.push('last'));
    await Promise.all([later, last]);
    expect(order).toEqual(['later', 'last']);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(turns.next()).toBeUndefined();
  });

  it('of one do not hold up another', () => {
    const [one, other] = [new Turns(), new Turns()];
    void one.next();
    spin(10);
    expect(one.next()).toBeDefined();
    expect(other.next()).toBeUndefined();
  });

  it('lets the short work of another holder go on first, but not its long work', async () => {
    const [long, short] = [new Turns(), new Turns()];
    const waiting = async (): Promise<void> => {
      void long.next();
      spin(10);
      await long.next();
    };
    // Nothing of another holder: it goes on in the next turn.
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(await pausesDuring(waiting)).toEqual([]);
    void short.next();
    const [pause, ...further] = await pausesDuring(waiting);
    expect(pause).toBeGreaterThanOrEqual(30);
    expect(further).toEqual([]);
  });

  it('of long calculations let short work go on first', async () => {
    void new Turns().next();
    const pauses = await pausesDuring(() => mapInTurns([1, 2], () => spin(10)));
    expect(pauses.map((ms) => ms >= 30)).toEqual([true, true]);
  });
});
