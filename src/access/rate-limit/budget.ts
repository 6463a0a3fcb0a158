import { wholeSeconds } from './limit.ts';
import type { Grant, Reservation, WholeReservation } from './store.ts';

/** A caller that is over its limit asks the database once in this time, not with each request. */
const refusalMilliseconds = 1_000;
/** A slice that lasted less long than this was too small, and the next is twice as large. */
const slowMilliseconds = 1_000;

/** How a budget takes from the database: a slice for single requests, or the whole of a large call. */
export interface Reserve {
  slice(reservation: Reservation): Promise<Grant>;
  whole(reservation: WholeReservation): Promise<Grant>;
}

/** The answer to one request. */
export interface Spent {
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly refused: boolean;
}

interface BudgetWaiter {
  resolve(spent: Spent): void;
  reject(error: unknown): void;
}

/**
 * One scope's part of a quota that many processes share. The process takes slices from the database
 * and spends them in memory: what all processes have taken never exceeds the quota, and a slice ends
 * with its window. Slices double while they are used up within a second, so a busy scope costs a few
 * statements a second and a quiet one a statement for each request; and requests that arrive during
 * a statement share the next one. What a process took and did not spend is lost to the others until
 * the window ends: at most a hundredth of what was left when it took it.
 */
export class RateLimitSlices {
  readonly #reserve: Reserve;
  readonly #windowSeconds: number;
  readonly #now: () => number;
  readonly #waiting: BudgetWaiter[] = [];
  #asking = false;
  #quota = 0;
  /** Taken and not yet spent. */
  #slice = 0;
  /** Taken by nobody, when the database was last asked. */
  #remaining = 0;
  #ends = 0;
  #askAgain = 0;
  #wanted = 1;
  #askedAt = Number.NEGATIVE_INFINITY;

  /** @param now a clock that only goes forward, in milliseconds */
  constructor(reserve: Reserve, windowSeconds: number, now: () => number) {
    this.#reserve = reserve;
    this.#windowSeconds = windowSeconds;
    this.#now = now;
  }

  /** Whether nothing is kept here that a new budget would not have. */
  get idle(): boolean {
    return !this.#asking && this.#ends <= this.#now();
  }

  /** Spends one request of `quota`, which may change at any time. Rejects when the database does. */
  spend(quota: number): Spent | Promise<Spent> {
    const at = this.#now();
    if (quota > this.#quota) this.#askAgain = 0;
    this.#quota = quota;
    if (at < this.#ends) {
      if (this.#slice > 0 && this.#waiting.length === 0) return this.#spendOne(at);
      if (this.#slice === 0 && at < this.#askAgain) return this.#refusal(at);
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      if (!this.#asking) void this.#serve();
    });
  }

  /**
   * Spends `units` of `quota` at once, or none where the database has fewer left: what this process
   * has taken for single requests stays theirs. Rejects when the database does.
   */
  async spendWhole(quota: number, units: number): Promise<Spent> {
    const at = this.#now();
    const windowSeconds = this.#windowSeconds;
    const grant = await this.#reserve.whole({ quota, windowSeconds, units });
    const slice = this.#now() < this.#ends ? this.#slice : 0;
    this.#remaining = grant.remaining;
    const end = at + grant.milliseconds;
    return {
      remaining: grant.remaining + slice,
      resetSeconds: wholeSeconds(end - this.#now()),
      refused: grant.granted < units,
    };
  }

  #spendOne(at: number): Spent {
    this.#slice -= 1;
    return {
      remaining: this.#remaining + this.#slice,
      resetSeconds: wholeSeconds(this.#ends - at),
      refused: false,
    };
  }

  #refusal(at: number): Spent {
    return { remaining: 0, resetSeconds: wholeSeconds(this.#ends - at), refused: true };
  }

  async #serve(): Promise<void> {
    this.#asking = true;
    try {
      while (this.#waiting.length > 0) {
        const served = this.#waiting.length;
        await this.#ask(served);
        const at = this.#now();
        // A grant is spent even if its window has just ended: it was taken within that window.
        for (const { resolve } of this.#waiting.splice(0, served)) {
          resolve(this.#slice > 0 ? this.#spendOne(at) : this.#refusal(at));
        }
        // Requests that came during the statement use up the slice before another is taken.
        while (at < this.#ends && this.#slice > 0 && this.#waiting.length > 0) {
          this.#waiting.shift()?.resolve(this.#spendOne(at));
        }
      }
    } catch (error) {
      for (const { reject } of this.#waiting.splice(0)) reject(error);
    } finally {
      this.#asking = false;
    }
  }

  async #ask(needed: number): Promise<void> {
    const at = this.#now();
    const quick = at - this.#askedAt < slowMilliseconds;
    // Half a million requests a second would need more than this.
    this.#wanted = quick ? Math.min(this.#wanted * 2, 500_000) : Math.max(1, this.#wanted >> 1);
    this.#askedAt = at;
    const grant = await this.#reserve.slice({
      quota: this.#quota,
      windowSeconds: this.#windowSeconds,
      needed,
      wanted: this.#wanted,
    });
    this.#slice = grant.granted;
    this.#remaining = grant.remaining;
    // Counted from before the statement, so that this process never takes the window for longer than it is.
    this.#ends = at + grant.milliseconds;
    this.#askAgain = grant.remaining === 0 ? this.#now() + refusalMilliseconds : 0;
  }
}
