import { Agent, request } from 'undici';
import { sign, signatureHeader } from '../src/crypto/signature.ts';
import type { Faults } from './faults.ts';
import type { WireEvent } from './wire.ts';

const timeoutMs = 10_000;
/** The most events of one request: a receiver takes 256 KiB, and an event has at most five. */
const mostTogether = 50;
/** While so many requests are under way, what is to be sent waits and shares the next one. */
const mostUnderWay = 4;

/** Sends events to the webhook. Each answer is whether the receiver took them; nothing is sent again here. */
export interface Poster {
  /** Sends an event in a request of its own. */
  alone(event: WireEvent): Promise<boolean>;
  /** Sends an event with others that are sent at the same time, while many are. */
  together(event: WireEvent): Promise<boolean>;
  setUrl(url: string): void;
  /** Ends the requests under way. */
  stop(): Promise<void>;
}

interface PosterOptions {
  readonly url: string;
  readonly secret: string;
  readonly faults: Pick<Faults, 'current'>;
}

interface QueuedPost {
  readonly event: WireEvent;
  readonly resolve: (taken: boolean) => void;
}

export function createPoster(options: PosterOptions): Poster {
  const agent = new Agent({ connections: 32, connect: { timeout: timeoutMs } });
  const waiting: QueuedPost[] = [];
  let underWay = 0;
  let url = options.url;

  /** Sends one body once, with a signature of its own. */
  async function post(content: object): Promise<boolean> {
    const body = Buffer.from(JSON.stringify(content));
    const seconds = Math.floor((Date.now() + options.faults.current().clock_skew_ms) / 1000);
    try {
      const answer = await request(url, {
        dispatcher: agent,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          [signatureHeader]: sign(options.secret, seconds, body),
        },
        body,
        headersTimeout: timeoutMs,
        bodyTimeout: timeoutMs,
      });
      await answer.body.dump({ limit: 64 * 1024 });
      return answer.statusCode >= 200 && answer.statusCode < 300;
    } catch {
      return false;
    }
  }

  async function sendWaiting(): Promise<void> {
    underWay += 1;
    while (waiting.length > 0) {
      // Those of the same turn of the event loop travel together from the start.
      await new Promise(setImmediate);
      const some = waiting.splice(0, mostTogether);
      const [first, ...others] = some;
      if (first === undefined) break;
      const events = some.map(({ event }) => event);
      const taken = await post(others.length === 0 ? first.event : { events });
      for (const { resolve } of some) resolve(taken);
    }
    underWay -= 1;
  }

  return {
    alone: post,
    together(event) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      waiting.push({ event, resolve });
      if (underWay < mostUnderWay) void sendWaiting();
      return promise;
    },
    setUrl(next) {
      url = next;
    },
    stop: () => agent.destroy(),
  };
}
