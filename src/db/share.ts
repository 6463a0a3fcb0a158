import type { Pool, PoolClient } from 'pg';
import { DomainError } from '../errors/domain-error.ts';
import type { Slots } from '../concurrency/slots.ts';
import { Turns } from '../concurrency/event-loop.ts';

const comeAgainSeconds = 2;

const busy = () =>
  new DomainError('too_many_requests', {
    message: 'Too much of yours is under way; send fewer requests at a time.',
    retryAfterSeconds: comeAgainSeconds,
  });

/**
 * One holder's part of the pool: so many connections of its own, and, where it belongs to a group, so
 * many of the group's. The statements of all its requests share it.
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

  /** Undefined where a connection is free; otherwise waits for one. Throws `too_many_requests`. */
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
   * Gives a place back once the holder may use the event loop again: a holder whose answers take long
   * to make begins its next statements as slowly as it makes them.
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

  /** Undefined where the holder may use the event loop; otherwise what to wait for. */
  turn(): Promise<void> | undefined {
    return this.#turns.next();
  }

  /** Runs what takes one connection for its time. Throws `too_many_requests`, and as `work`. */
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
 * The pool as one holder sees it: the same connections, of which it has no more than its share at a
 * time. Waiting for one throws `too_many_requests` when it takes too long.
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
          if (client === undefined) reject(error ?? new Error('the pool lent no connection'));
          else resolve(client);
        });
      });
    }
    lendTo(lend);
    return undefined;
  }

  // The pool's own `query` asks `connect` for its connection, so there is one way to get one.
  const bound = Object.create(pool, { connect: { value: connect } }) as Pool;
  const query = async (...given: Parameters<Pool['query']>): Promise<unknown> => {
    const result = await (Reflect.apply(pool.query, bound, given) as unknown as Promise<unknown>);
    await share.turn();
    return result;
  };
  return Object.defineProperty(bound, 'query', { value: query });
}
