import { createTurns, type Turn, type Turns } from '../src/concurrency/turns.ts';
import type { Services } from '../src/process/services.ts';

const slowMs = 200;
/** A mail that finds no place comes again after this time and up to as much again. */
const pauseMs = 4_000;

/**
 * Which mails may occupy the worker's slots while the mail server is slow: of one tenant a quarter, so
 * that its thousands do not delay another's one; of all tenants half, since the rest is for what moves
 * money. A server that answers quickly bounds nobody.
 *
 * @param slots jobs that this worker runs at a time
 * @param now milliseconds of a clock that does not run backwards
 */
export function createMailTurns(slots: number, now: () => number = () => performance.now()): Turns {
  const half = Math.max(1, Math.floor(slots / 2));
  // It gives each tenant half of what it is told.
  const ofTenants = createTurns(half, now);
  let inFlight = 0;
  let averageMs = 0;

  function enter(tenantId: string): Turn {
    if (inFlight >= half && averageMs > slowMs) {
      return { granted: false, waitMs: pauseMs * (1 + Math.random()) };
    }
    const turn = ofTenants.enter(tenantId);
    if (!turn.granted) return turn;
    inFlight += 1;
    const startedAt = now();
    return {
      granted: true,
      leave() {
        averageMs = (averageMs + (now() - startedAt)) / 2;
        inFlight -= 1;
        turn.leave();
      },
    };
  }

  return { enter };
}

const turns = new WeakMap<Services, Turns>();

/** Those of this process's worker. */
export function mailTurnsOf(services: Services): Turns {
  const known = turns.get(services) ?? createMailTurns(services.config.WORKER_CONCURRENCY);
  turns.set(services, known);
  return known;
}
