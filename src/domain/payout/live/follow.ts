import { requirePermission } from '../../../access/scope.ts';
import { makeCursor, openCursor } from '../../../crypto/cursor.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import type { Call } from '../../../process/services.ts';
import type { TransitionFeed } from './feed.ts';
import {
  horizonAfter,
  placeBefore,
  placeOf,
  placeText,
  readAfter,
  type LiveTransition,
  type TransitionCursor,
} from './rows.ts';
import type { Seat } from './seat.ts';

/** What a stream tells: a transition, or nothing but how far it has come. */
export interface LiveItem {
  /** Where to go on; a stream that was cut off is resumed after the last id that its reader has seen. */
  readonly id: string;
  /** Null where the item only says that nothing else happened up to here. */
  readonly live: LiveTransition | null;
}

/** Transitions that one statement reads for a stream that catches up. */
const pageSize = 200;

/** A stream on which nothing happens says so this often, which also shows both sides that the other lives. */
const quietMs = 10_000;

/** What a stream is asked for. */
export interface Follow {
  /** Of this process. */
  readonly feed: TransitionFeed;
  /** The id of an item, after which it goes on; null to begin with what is recorded from now on. */
  readonly after: string | null;
  /** Ends the stream at once, whatever it waits for. */
  readonly signal: AbortSignal;
}

/**
 * The transitions of the tenant's payouts, each once, those of one payout in their order. It never ends by
 * itself: it throws an `Interrupted` where it can be resumed, or a DomainError, which is unauthorized when the
 * key has stopped working.
 *
 * @throws forbidden, validation_failed (invalid_cursor) for an id of another tenant, service_unavailable
 */
export async function followTransitions(
  call: Call,
  { feed, after, signal }: Follow,
): Promise<AsyncIterable<LiveItem>> {
  const { scope, services } = call;
  const { actor, tenantId } = scope;
  requirePermission(scope, 'read');
  if (actor.type !== 'member') throw new DomainError('forbidden');
  const list = { tenantId, list: 'payoutTransitions', filter: {} };
  const resumed =
    after === null ? null : placeOf(openCursor(services.keyring, list, after, 'after'));
  const seat = feed.seat(scope, actor);
  const leave = () => feed.leave(seat);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  // Whoever begins anew gets what is recorded from now on, not from when the first item is asked for.
  const place = resumed ?? placeBefore(await feed.join(seat));
  return follow(call, feed, {
    seat,
    place,
    isSeated: resumed === null,
    idOf: (at) => makeCursor(services.keyring, list, placeText(at)),
  });
}

interface Begun {
  readonly seat: Seat;
  readonly place: TransitionCursor;
  /** Whether the seat has joined the feed at the place. */
  readonly isSeated: boolean;
  readonly idOf: (place: TransitionCursor) => string;
}

async function* follow(
  { scope, services }: Call,
  feed: TransitionFeed,
  { seat, place: begin, isSeated, idOf }: Begun,
): AsyncGenerator<LiveItem, void, void> {
  let place = begin;
  const item = (live: LiveTransition | null): LiveItem => ({ id: idOf(place), live });

  async function* readUntil(until: string): AsyncGenerator<LiveItem, void, void> {
    for (let more = true; more;) {
      const found = await readAfter(services.pool, scope.tenantId, place, until, pageSize);
      for (const live of found) {
        place = live.place;
        yield item(live);
      }
      more = found.length === pageSize;
    }
  }

  try {
    yield item(null);
    for (let seated = isSeated; ; seated = false) {
      if (!seated) {
        // Far from the end it reads for itself; then it joins, and what came in between is little.
        const horizon = await horizonAfter(services.pool, null);
        if (horizon !== null) yield* readUntil(horizon);
        yield* readUntil(await feed.join(seat));
      }
      for (;;) {
        const told = await seat.next(place, quietMs);
        if (told.kind === 'behind') break;
        if (told.kind === 'transition') place = told.live.place;
        else if (told.at > place.at) place = placeBefore(told.at);
        yield item(told.kind === 'transition' ? told.live : null);
      }
    }
  } finally {
    feed.leave(seat);
  }
}
