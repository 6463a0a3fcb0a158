import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { queueOf, type Book } from './book.ts';
import type { Faults } from './faults.ts';
import { lieInEvent } from './lies.ts';
import type { SimulatorEvent } from './model.ts';
import { createPoster } from './poster.ts';
import { wireEvent } from './wire.ts';

const firstBackoffMs = 200;
const longestBackoffMs = 10_000;
const quietPollMs = 20;

export interface Delivery {
  /** Queues an event. Resolves after its first try, whether or not it was taken. */
  enqueue(event: SimulatorEvent): Promise<void>;
  setUrl(url: string): void;
  /** Ends all tries. The ledger has the events that are not delivered. */
  stop(): Promise<void>;
}

interface DeliveryOptions {
  readonly url: string;
  readonly secret: string;
  readonly faults: Faults;
  readonly book: Pick<Book, 'asked'>;
  /** Called once the receiver took the event. */
  readonly onDelivered: (eventId: string) => void;
  /** Whether nothing more will happen by itself to the payout or recipient with this id. */
  readonly isQuiet: (queue: string) => boolean;
}

interface QueuedEvent {
  readonly event: SimulatorEvent;
  readonly tried: () => void;
}

/** Sends events to the webhook, in order for each payout, and each until a 2xx answer. */
export function createDelivery(options: DeliveryOptions): Delivery {
  const { faults } = options;
  const poster = createPoster(options);
  const stopping = new AbortController();
  const { signal } = stopping;
  setMaxListeners(0, signal); // one listener for each delivery that waits
  const queues = new Map<string, QueuedEvent[]>();
  const runs = new Set<Promise<void>>();

  /**
   * Sends an event, or what a lie puts in its place. Returns whether the receiver took all of it.
   * @param first only a first try travels with other events: one that is refused must not harm them again
   */
  async function send(event: SimulatorEvent, first = false): Promise<boolean> {
    const told = wireEvent(options.book, event);
    const lie = faults.lieIn('events');
    if (lie === null && first) return poster.together(told);
    let taken = true;
    for (const one of lieInEvent(lie, told)) taken = (await poster.alone(one)) && taken;
    return taken;
  }

  async function firstTry({ event, tried }: QueuedEvent): Promise<boolean> {
    try {
      const delayMs = faults.current().delay_events_ms;
      if (delayMs > 0) await sleep(delayMs, undefined, { signal });
      return await send(event, true);
    } finally {
      tried();
    }
  }

  async function deliver(entry: QueuedEvent): Promise<void> {
    const { event } = entry;
    const repeats = faults.current().repeat_events;
    let backoffMs = firstBackoffMs;
    let delivered = await firstTry(entry);
    while (!delivered) {
      await sleep(backoffMs, undefined, { signal });
      backoffMs = Math.min(backoffMs * 2, longestBackoffMs);
      delivered = await send(event);
    }
    options.onDelivered(event.id);
    for (let repeat = 0; repeat < repeats && !signal.aborted; repeat += 1) await send(event);
  }

  async function drain(queue: string, entries: QueuedEvent[]): Promise<void> {
    try {
      while (entries.length > 0) {
        while (faults.current().reorder_events && !options.isQuiet(queue)) {
          await sleep(quietPollMs, undefined, { signal });
        }
        const entry = faults.current().reorder_events ? entries.pop() : entries.shift();
        if (entry !== undefined) await deliver(entry);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      queues.delete(queue);
      for (const entry of entries) entry.tried();
    }
  }

  return {
    enqueue(event) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (signal.aborted) return Promise.resolve();
      const entry: QueuedEvent = { event, tried: resolve };
      const queue = queueOf(event);
      const entries = queues.get(queue);
      if (entries !== undefined) entries.push(entry);
      else {
        const started = [entry];
        queues.set(queue, started);
        const run = drain(queue, started).finally(() => runs.delete(run));
        runs.add(run);
      }
      return promise;
    },
    setUrl: (url) => poster.setUrl(url),
    async stop() {
      stopping.abort();
      await poster.stop();
      await Promise.allSettled(runs);
    },
  };
}
