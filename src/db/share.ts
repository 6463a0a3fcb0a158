import type { Pool, PoolClient } from 'pg';
import { DomainError } from '../errors/domain-error.ts';
import type { Slots } from '../concurrency/slots.ts';
import { Turns } from '../concurrency/event-loop.ts';

const comeAgainSeconds = 2;

const busy = () =>
  new DomainError('too_many_requests', {
    message: 'Too many of your requests are under way; send fewer at a time.',
    retryAfterSeconds: comeAgainSeconds,
  });

/**
 * One holder's part of the pool: a number of connections, and within a group, if it belongs to one, a part of
 * the group's. The statements of all its requests share it.
 */
export class Share {
  readonly #own: Slots;
  readonly #group: Slots | null;
  readonly #turns = new Turns();

  constructor(own: Slots, group: Slots | null) {
    this.#own = own;
    this.#group = group;
  }

  get idle(): boolean {
    return this.#own.idle;
  }

  /** Undefined if a connection is free; otherwise waits for one. Throws `too_many_requests`. */
  enter(): Promise<void> | undefined {
    const own = this.#own.enter();
    if (own !== true) return this.#wait(own);
    const group = this.#group?.enter() ?? true;
    return group === true ? undefined : this.#waitForGroup(group);
  }

  async #wait(own: boolean | Promise<boolean>): Promise<void> {
    if (!(await own)) throw busy();
    const group = this.#group?.enter() ?? true;
    if (group !== true) await this.#waitForGroup(group);
  }

  async #waitForGroup(group: boolean | Promise<boolean>): Promise<void> {
    if (await group) return;
    this.#own.leave();
    throw busy();
  }

  /**
   * Gives a place back once the holder may use the event loop again. So a holder whose answers take long to
   * compute also starts its next statements slowly.
   */
  leave(): void {
    const wait = this.turn();
    if (wait === undefined) this.#leave();
    else void wait.then(() => this.#leave());
  }

  #leave(): void {
    this.#group?.leave();
    this.#own.leave();
  }

  /** Undefined if the holder may use the event loop; otherwise a promise that resolves when it may. */
  turn(): Promise<void> | undefined {
    return this.#turns.next();
  }

  /** Runs work that uses one connection. Throws `too_many_requests`, and what `work` throws. */
  async run<T>(work: () => PromiseLike<T>): Promise<T> {
    const wait = this.enter();
    if (wait !== undefined) await wait;
    try {
      const result = await work();
      await this.turn();
      return result;
    } finally {
      this.#leave();
    }
  }
}

type Lend = (
  error: Error | undefined,
  client: PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

const nothingToRelease = (): void => undefined;

/**
 * The pool as one holder sees it: the same connections, but no more of them at a time than its share.
 * Waiting too long for one throws `too_many_requests`.
 */
export function boundPool(pool: Pool, share: Share): Pool {
  function borrow(lend: Lend): void {
    pool.connect((error, client, release) => {
      if (error !== undefined || client === undefined) {
        share.leave();
        lend(error, undefined, nothingToRelease);
        return;
      }
      const giveBack = (problem?: Error | boolean): void => {
        release(problem); // throws when it was called before, and then the share stays as it is
        share.leave();
      };
      client.release = giveBack;
      lend(undefined, client, giveBack);
    });
  }

  function lendTo(lend: Lend): void {
    const wait = share.enter();
    if (wait === undefined) {
      borrow(lend);
      return;
    }
    wait.then(
      () => borrow(lend),
      (error: unknown) => {
        lend(error instanceof Error ? error : busy(), undefined, nothingToRelease);
      },
    );
  }

  function connect(lend?: Lend): Promise<PoolClient> | undefined {
    if (lend === undefined) {
      return new Promise((resolve, reject) => {
        lendTo((error, client) => {
          if (client === undefined) reject(error ?? new Error('the pool gave no connection'));
          else resolve(client);
        });
      });
    }
    lendTo(lend);
    return undefined;
  }

  // The pool's own `query` calls `connect`, so this is the only way to a connection.
  const bound = Object.create(pool, { connect: { value: connect } }) as Pool;
  const query = async (...given: Parameters<Pool['query']>): Promise<unknown> => {
    const result = await (Reflect.apply(pool.query, bound, given) as unknown as Promise<unknown>);
    await share.turn();
    return result;
  };
  return Object.defineProperty(bound, 'query', { value: query });
}
