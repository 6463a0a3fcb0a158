import type { Pool } from 'pg';

/** Where a committed job is announced to the workers. */
export const wakeChannel = 'job_outbox';

/** A process announces its jobs at most this often; what is committed in between is one announcement. */
const pauseMs = 4;

/** Without a pause after the first: a single job is announced at once. */
class Waker {
  readonly #announce: () => Promise<unknown>;
  #busy = false;
  #again = false;

  constructor(announce: () => Promise<unknown>) {
    this.#announce = announce;
  }

  wake(): void {
    if (this.#busy) this.#again = true;
    else void this.#run();
  }

  async #run(): Promise<void> {
    this.#busy = true;
    // The relay also looks by the clock, so an announcement that fails delays the jobs and loses none.
    await this.#announce().catch(() => undefined);
    setTimeout(() => {
      this.#busy = false;
      if (!this.#again) return;
      this.#again = false;
      this.wake();
    }, pauseMs).unref();
  }
}

/**
 * One for each pool, by its options: the pool that a tenant's requests use is a bounded view of the process's
 * own and has the same ones.
 */
const wakers = new WeakMap<Pool['options'], Waker>();

/** Announces jobs over `pool` from now on, whatever bounded view of it they were committed over. */
export function announceOver(pool: Pool): void {
  wakers.set(pool.options, new Waker(() => pool.query(`NOTIFY ${wakeChannel}`)));
}

/** Wakes a relay of this process directly, not by way of the database. */
export function announceTo(pool: Pool, relay: () => void): void {
  const announce = async (): Promise<void> => relay();
  wakers.set(pool.options, new Waker(announce));
}

/**
 * Tells the relays that a transaction over `pool` has committed jobs. It is a statement of its own outside
 * every transaction of a command, since PostgreSQL lets one notifying transaction commit at a time. Returns
 * at once and never throws. `enqueue` sees to it; a command whose function in the database adds the job calls
 * it itself.
 */
export function wakeRelay(pool: Pool): void {
  if (!wakers.has(pool.options)) announceOver(pool);
  wakers.get(pool.options)?.wake();
}
