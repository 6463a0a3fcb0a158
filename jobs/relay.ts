import type { PoolClient } from 'pg';
import type { Services } from '../src/process/services.ts';
import { announceOver, announceTo, wakeChannel } from '../src/db/wake.ts';
import { relayBatch, share } from './relay-batch.ts';

/**
 * How long an announcement that was not heard delays a job: its process died after the commit, or LISTEN does
 * not reach through a pooler.
 */
const lookEveryMs = 250;

/** Jobs that are committed in this time after a batch travel in the next one together. */
const gatherMs = 2;

export interface Relay {
  /** Ends after the batch under way. What is left, another worker moves, or this one when it is back. */
  stop(): Promise<void>;
}

/**
 * Hears when other processes have committed jobs. Whether it listens or has lost its connection does not matter
 * to the caller, who also looks by the clock.
 */
function startListening({ directPool, log }: Services, wake: () => void) {
  let client: PoolClient | null = null;
  let connecting = false;

  function lose(lost: PoolClient): void {
    if (client !== lost) return;
    client = null;
    lost.removeAllListeners('notification');
    lost.release(true);
  }

  async function connect(): Promise<void> {
    if (client !== null || connecting) return;
    connecting = true;
    try {
      const fresh = await directPool.connect();
      client = fresh;
      fresh.on('notification', wake);
      fresh.once('error', () => lose(fresh));
      fresh.once('end', () => lose(fresh));
      await fresh.query(`LISTEN ${wakeChannel}`).catch(() => lose(fresh));
    } catch (error) {
      const message = error instanceof Error ? error.message : 'unknown';
      log.debug({ message }, 'the relay does not hear announcements');
    } finally {
      connecting = false;
    }
  }

  return {
    connect,
    stop() {
      if (client !== null) lose(client);
    },
  };
}

/**
 * Starts to move jobs from the outbox to graphile-worker: when a process announces some, and by the clock.
 * The relays of several workers share the work.
 */
export function startRelay(services: Services): Relay {
  const { pool, log } = services;
  let stopping = false;
  let announced = false;
  let interrupt = (): void => undefined;

  function wake(): void {
    announced = true;
    interrupt();
  }

  /** Resolves after the time, or earlier when jobs are announced. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      interrupt = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Goes round the tenants until a whole round leaves nothing: what comes after it is announced. */
  async function drain(): Promise<void> {
    let after: string | null = null;
    let moved = 0;
    do {
      if (after === null) moved = 0;
      const batch = await relayBatch(pool, after);
      after = batch.lastTenant;
      moved += batch.moved;
    } while (!stopping && (after !== null || moved >= share));
  }

  const ears = startListening(services, wake);
  async function work(): Promise<void> {
    while (!stopping) {
      void ears.connect();
      announced = false;
      try {
        await drain();
      } catch (error) {
        const message = error instanceof Error ? error.message : 'unknown';
        log.warn({ message }, 'the relay cannot move jobs and tries again');
        announced = false;
      }
      if (announced) await new Promise((resolve) => setTimeout(resolve, gatherMs));
      else if (!stopping) await pause(lookEveryMs);
    }
  }

  announceTo(pool, wake);
  const working = work();
  return {
    async stop() {
      stopping = true;
      interrupt();
      await working;
      ears.stop();
      announceOver(pool);
    },
  };
}
