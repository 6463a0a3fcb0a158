import { Slots } from '../../src/concurrency/slots.ts';
import { PageFailure } from './failure.ts';

/** Limits how many uploads are under way: each holds its file in memory. */
export interface UploadSlots {
  /**
   * Runs `task` for a link and a client address. Throws PageFailure `busy`: 429 at once where the link or the address
   * has as many as it may have, 503 where no slot becomes free in time or too many wait for one.
   */
  run<T>(link: string, client: string, task: () => Promise<T>): Promise<T>;
}

async function inSlot<T>(
  slots: Slots,
  holder: string,
  status: number | undefined,
  task: () => Promise<T>,
): Promise<T> {
  if (!(await slots.enter(holder))) throw new PageFailure('busy', status);
  try {
    return await task();
  } finally {
    slots.leave(holder);
  }
}

/**
 * One upload of a link, two of a client address, `slots` of all.
 * @param waitMs how long one may wait for a slot; at most ten times `slots` wait at once
 */
export function createUploadSlots(slots: number, waitMs: number): UploadSlots {
  const unlimited = { slots: Number.POSITIVE_INFINITY, waiting: 0, waitMs };
  const ofLinks = new Slots({ ...unlimited, ofHolder: 1 });
  const ofClients = new Slots({ ...unlimited, ofHolder: 2 });
  const ofAll = new Slots({ slots, waiting: slots * 10, waitMs });
  return {
    run: (link, client, task) =>
      inSlot(ofLinks, link, 429, () =>
        inSlot(ofClients, client, 429, () => inSlot(ofAll, '', undefined, task)),
      ),
  };
}
