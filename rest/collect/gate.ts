import { PageFailure } from './failure.ts';

/** Lets a few through at a time; the others wait their turn. */
export interface Gate {
  /**
   * Runs `task` when there is room. Throws PageFailure `busy` when there was none for too long, or
   * when too many are waiting already.
   */
  pass<T>(task: () => Promise<T>): Promise<T>;
}

/**
 * Makes a gate: what passes holds a file in memory, so their number bounds the memory.
 * @param room how many may be inside
 * @param waitMs how long one may wait; at most ten times `room` wait at once
 */
export function createGate(room: number, waitMs: number): Gate {
  let inside = 0;
  const waiting: (() => void)[] = [];

  async function enter(): Promise<void> {
    if (inside < room) {
      inside += 1;
      return;
    }
    if (waiting.length >= room * 10) throw new PageFailure('busy');
    // Who leaves hands over the place, so `inside` stays as it is.
    await new Promise<void>((resolve, reject) => {
      const turn = () => {
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(turn), 1);
        reject(new PageFailure('busy'));
      }, waitMs);
      waiting.push(turn);
    });
  }

  function leave(): void {
    const next = waiting.shift();
    if (next === undefined) inside -= 1;
    else next();
  }

  return {
    async pass(task) {
      await enter();
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}

/** Lets a few of each key through at a time. */
export interface Bound {
  /** Runs `task`. Throws PageFailure `busy` with 429 at once when the key has its share already. */
  hold<T>(key: string, task: () => Promise<T>): Promise<T>;
}

/** Makes a bound of `share` tasks of each key, so that nobody has all the places of a gate. */
function createBound(share: number): Bound {
  const held = new Map<string, number>();
  return {
    async hold(key, task) {
      const before = held.get(key) ?? 0;
      if (before >= share) throw new PageFailure('busy', 429);
      held.set(key, before + 1);
      try {
        return await task();
      } finally {
        const left = (held.get(key) ?? 1) - 1;
        if (left > 0) held.set(key, left);
        else held.delete(key);
      }
    },
  };
}

/** Where uploads are let in. */
export interface UploadGate {
  /** Runs `task` for a link and a client address. Throws as `Gate` and `Bound` do. */
  pass<T>(link: string, client: string, task: () => Promise<T>): Promise<T>;
}

/** Makes the gate of the uploads: one of a link, two of a client address, `room` of all. */
export function createUploadGate(room: number, waitMs: number): UploadGate {
  const gate = createGate(room, waitMs);
  const [ofLink, ofClient] = [createBound(1), createBound(2)];
  return {
    pass: (link, client, task) =>
      ofLink.hold(link, () => ofClient.hold(client, () => gate.pass(task))),
  };
}
