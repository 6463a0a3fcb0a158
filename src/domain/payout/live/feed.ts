import { credentialOf, type MemberActor, type Scope } from '../../../access/scope.ts';
import { whichWork } from '../../../access/working.ts';
import { unavailable } from '../../../db/unavailable.ts';
import { DomainError } from '../../../errors/domain-error.ts';
import type { Services } from '../../../process/services.ts';
import { horizonAfter, isWidest, readBetween } from './rows.ts';
import { Seat } from './seat.ts';

/** Between two looks at the database. With the horizon's tenth of a second it is what a stream lags behind. */
const betweenMs = 250;

/** Between two looks at the keys of the streams. */
const keysMs = 750;

/** The stream ends here and can be resumed from its last id. The message says why, to whoever reads the stream. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

const interruptions = {
  draining: 'this server stops',
  away: 'the database is away',
  gone: 'its reader has gone',
} as const;

/**
 * Reads the transitions of all tenants that have a stream open in this process, and hands them to the streams.
 * However many there are, a look is three statements: the horizon, the transitions since the look before, and
 * once a second the keys. It looks only while a stream is open.
 *
 * Between two horizons nothing is added any more, so each transition is read once, whichever process committed
 * it and however late (src/domain/horizon.ts).
 */
export class TransitionFeed {
  readonly #services: Services;
  readonly #seats = new Set<Seat>();
  /** Those that the next look takes in. */
  readonly #joining = new Set<Seat>();
  readonly #forget: () => void;
  /** Everything before this time was handed out; null before the first look. */
  #at: string | null = null;
  #keysLookedAt = 0;
  #stopped = false;
  #running: Promise<void> | null = null;
  #hurry: (() => void) | null = null;

  constructor(services: Services) {
    this.#services = services;
    this.#forget = services.watch.onChange((problem) => {
      if (problem !== null) this.#endAll(new Interrupted(interruptions.away));
    });
  }

  /** A seat for a stream of the tenant; it gets transitions from when it joins. Throws service_unavailable. */
  seat({ tenantId }: Scope, actor: MemberActor): Seat {
    if (this.#stopped) {
      throw new DomainError('service_unavailable', { message: 'This server stops.' });
    }
    return new Seat(tenantId, credentialOf(actor));
  }

  /** Takes a seat in, again where it fell behind. Resolves with the time from which on it gets everything. */
  async join(seat: Seat): Promise<string> {
    if (this.#stopped) seat.end(new Interrupted(interruptions.draining));
    const joined = seat.joined();
    if (seat.hasEnded) return joined;
    this.#seats.delete(seat);
    this.#joining.add(seat);
    this.#running ??= this.#run();
    this.#hurry?.();
    return joined;
  }

  /** Ends a stream whose reader has gone. */
  leave(seat: Seat): void {
    this.#seats.delete(seat);
    this.#joining.delete(seat);
    seat.end(new Interrupted(interruptions.gone));
  }

  /** Ends all streams, which can be resumed elsewhere, and takes no more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#forget();
    this.#endAll(new Interrupted(interruptions.draining));
    this.#hurry?.();
    await this.#running;
  }

  get #watched(): number {
    return this.#seats.size + this.#joining.size;
  }

  #endAll(reason: Error): void {
    for (const seat of [...this.#seats, ...this.#joining]) seat.end(reason);
    this.#seats.clear();
    this.#joining.clear();
  }

  async #run(): Promise<void> {
    while (!this.#stopped && this.#watched > 0) {
      let behind = false;
      try {
        behind = await this.#look();
      } catch (error) {
        const { log } = this.#services;
        const message = error instanceof Error ? error.message : 'unknown';
        if (!unavailable(error)) log.error({ message }, 'the streams could not be read');
        this.#endAll(new Interrupted(interruptions.away));
      }
      if (!behind) await this.#pause();
    }
    this.#at = null;
    this.#running = null;
  }

  /** Returns whether there is more to read at once. */
  async #look(): Promise<boolean> {
    const { pool } = this.#services;
    const joining = [...this.#joining];
    const before = this.#at;
    const at = await horizonAfter(pool, before);
    if (at === null) return false;
    if (before !== null && before < at) {
      const tenants = [...new Set([...this.#seats].map(({ tenantId }) => tenantId))];
      const found = tenants.length === 0 ? [] : await readBetween(pool, tenants, before, at);
      const byTenant = Map.groupBy(found, ({ payout }) => payout.tenantId);
      for (const seat of this.#seats) seat.give(byTenant.get(seat.tenantId) ?? [], at);
    }
    this.#at = at;
    for (const seat of joining) {
      // It may have left meanwhile.
      if (!this.#joining.delete(seat)) continue;
      this.#seats.add(seat);
      seat.join(at);
    }
    await this.#endRevoked();
    return this.#joining.size > 0 || isWidest(before, at);
  }

  async #endRevoked(): Promise<void> {
    const now = performance.now();
    if (now - this.#keysLookedAt < keysMs || this.#seats.size === 0) return;
    this.#keysLookedAt = now;
    // Others may take a seat meanwhile, who are looked at the next time.
    const seats = [...this.#seats];
    const works = await whichWork(this.#services, seats);
    for (const seat of seats) {
      if (works(seat)) continue;
      this.#seats.delete(seat);
      seat.end(new DomainError('unauthorized'));
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#hurry?.(), betweenMs);
      this.#hurry = () => {
        clearTimeout(timer);
        this.#hurry = null;
        resolve();
      };
    });
  }
}
