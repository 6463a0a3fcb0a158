import type { Config } from '../../process/config.ts';
import { createScopedPrisma } from '../../db/prisma.ts';
import { boundPool, Share } from '../../db/share.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { Slots } from '../../concurrency/slots.ts';
import type { Services } from '../../process/services.ts';
import type { Tier } from '../rate-limit/tier.ts';

/** Seconds after which a refused caller may retry: requests under way end within seconds. */
const comeAgainSeconds = 2;

/** Idle holders that are kept in memory. */
const maxIdle = 1_000;

/** Who has a share of the process: a tenant, a client address without a key, or the providers. */
export interface AdmissionSubject {
  readonly key: string;
  /** Holders of which one caller can have many also share a part of the pool. */
  readonly group: 'thin' | 'keyless' | 'unknown keys' | null;
}

export const holderOfTenant = (tenantId: string, tier: Tier): AdmissionSubject => ({
  key: tenantId,
  group: tier === 'thin' ? 'thin' : null,
});

/** @param addressGroup as src/net/client-address.ts makes it */
export const holderOfAddress = (addressGroup: string): AdmissionSubject => ({
  key: `address:${addressGroup}`,
  group: 'keyless',
});

/**
 * Who shows keys that this process does not know. It is another holder than a caller without a key, so
 * that keyless calls keep no new key of the same address out.
 * @param addressGroup as src/net/client-address.ts makes it
 */
export const holderOfUnknownKeys = (addressGroup: string): AdmissionSubject => ({
  key: `address:${addressGroup}`,
  group: 'unknown keys',
});

/** Providers have one share together: their events are signed, and payments wait for them. */
export const providersHolder: AdmissionSubject = { key: 'providers', group: null };

/** What a holder may use of the process. */
export interface AdmissionShare {
  /** The parts of the process; of the pool's connections, no more than the holder's share at a time. */
  readonly services: Services;
  readonly requests: Slots;
  readonly bulks: Slots;
  readonly streams: Slots;
  /** Those of all holders of the process. */
  readonly allStreams: Slots;
  /** Undefined if the holder may use the event loop; otherwise a promise that resolves when it may. */
  readonly turn: () => Promise<void> | undefined;
}

/** The refusal of a request that got no place in time. */
export const turnedAway = () =>
  new DomainError('too_many_requests', {
    message: 'Too many of your requests are under way; send fewer at a time.',
    retryAfterSeconds: comeAgainSeconds,
  });

/** The refusal of a stream where the caller, or the process, has as many open as it may. */
const tooManyStreams = (most: number, whose: string) =>
  new DomainError('too_many_requests', {
    message: `${most} streams of ${whose} are open; close one, or read more of its data from one stream.`,
    retryAfterSeconds: comeAgainSeconds,
  });

/** How many connections a part of the pool is, at least one. */
const connections = (config: Config, part: number): number =>
  Math.max(1, Math.floor(config.DATABASE_POOL_SIZE * part));

/**
 * Makes the function that gives a holder its share of this process. A share is kept while anything
 * of it is in use, so nobody gets a second one.
 */
export function createAdmission(services: Services): (holder: AdmissionSubject) => AdmissionShare {
  const { config, pool, prisma } = services;
  const { TENANT_WAIT_MS: waitMs } = config;
  // Only admitted requests wait here, and their number is bounded.
  const waiting = Number.POSITIVE_INFINITY;
  const groupSlots = () => {
    const slots = connections(config, config.GROUP_CONNECTION_SHARE);
    return new Slots({ slots, waiting, waitMs });
  };
  const groups = { thin: groupSlots(), keyless: groupSlots(), 'unknown keys': groupSlots() };
  const allStreams = new Slots({ slots: config.STREAMS, waiting: 0, waitMs });
  const holders = new Map<string, { held: AdmissionShare; idle: () => boolean }>();

  function make({ group }: AdmissionSubject) {
    const own = new Slots({
      slots: connections(config, config.TENANT_CONNECTION_SHARE),
      waiting,
      waitMs,
    });
    const share = new Share(own, group === null ? null : groups[group]);
    const requests = new Slots({
      slots: config.TENANT_REQUESTS_AT_ONCE,
      waiting: config.TENANT_REQUESTS_WAITING,
      waitMs,
    });
    const bulks = new Slots({
      slots: config.TENANT_BULKS_AT_ONCE,
      waiting: config.TENANT_BULKS_WAITING,
      waitMs,
    });
    const streams = new Slots({ slots: config.TENANT_STREAMS, waiting: 0, waitMs });
    const bound: Services = {
      ...services,
      pool: boundPool(pool, share),
      scopedPrisma: createScopedPrisma(prisma, share),
    };
    const turn = () => share.turn();
    const held: AdmissionShare = { services: bound, requests, bulks, streams, allStreams, turn };
    return { held, idle: () => requests.idle && share.idle && streams.idle };
  }

  return (holder) => {
    const name = `${holder.group ?? ''} ${holder.key}`;
    const known = holders.get(name);
    if (known !== undefined) return known.held;
    if (holders.size >= maxIdle) {
      for (const [other, { idle }] of holders) if (idle()) holders.delete(other);
    }
    const made = make(holder);
    holders.set(name, made);
    return made.held;
  };
}

/** Counts further requests in the caller's rate limit. Throws RATE_LIMITED. */
export type Spend = (units: number) => Promise<void>;

/** What one request may use, from when it is let in until its work is over. */
export class Allowance {
  readonly services: Services;
  readonly #held: AdmissionShare;
  readonly #spend: Spend | null;
  /** Null where the request has no place, or has given it back. */
  #requests: Slots | null;
  #holders = 1;
  #isStream = false;
  /** Whether this request has a place among its holder's bulks; it keeps it to its end. */
  #inBulk = false;

  /**
   * @param spend null where nothing is counted
   * @param requests where the request has its place; null where it needs none
   */
  constructor(held: AdmissionShare, spend: Spend | null, requests: Slots | null) {
    this.services = held.services;
    this.#held = held;
    this.#spend = spend;
    this.#requests = requests;
  }

  /**
   * A place is given back when both the answer and the work for it are over; the work goes on when
   * the caller goes away. If the caller has gone before the work begins, the place is given back at
   * once and too_many_requests is thrown, which nobody receives.
   */
  hold(): void {
    if (this.#holders === 0) throw turnedAway();
    this.#holders += 1;
  }

  drop(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    if (this.#inBulk) this.#held.bulks.leave();
    this.#requests?.leave();
    if (!this.#isStream) return;
    this.#held.streams.leave();
    this.#held.allStreams.leave();
  }

  /**
   * Makes the answer a stream: it takes a place among its holder's streams until it ends, and gives back the
   * one among its requests, since it lasts for hours and works for moments. Throws too_many_requests.
   */
  becomeStream(): void {
    const { streams, allStreams, services } = this.#held;
    const { TENANT_STREAMS: own, STREAMS: all } = services.config;
    if (!streams.isFree()) throw tooManyStreams(own, 'your business');
    if (!allStreams.isFree()) throw tooManyStreams(all, 'all callers');
    streams.take();
    allStreams.take();
    this.#isStream = true;
    this.#requests?.leave();
    this.#requests = null;
  }

  /** Waits until the holder may use the event loop. */
  async turn(): Promise<void> {
    await this.#held.turn();
  }

  /**
   * Takes a place among the holder's bulks for a request whose body is large, before the body is
   * parsed: parsing a thousand rows only to refuse them would cost most of the work of accepting
   * them. Throws too_many_requests.
   */
  async admitBody(bytes: number): Promise<void> {
    if (bytes > this.services.config.LARGE_BODY_BYTES) await this.#enterBulk();
  }

  async #enterBulk(): Promise<void> {
    if (this.#inBulk) return;
    if (!(await this.#held.bulks.enter())) throw turnedAway();
    // Other mutations of the operation may have come in meanwhile, or the request may have ended.
    if (this.#inBulk || this.#holders === 0) this.#held.bulks.leave();
    else this.#inBulk = true;
    if (this.#holders === 0) throw turnedAway();
  }

  /** Counts what a GraphQL operation costs beyond one request. Throws RATE_LIMITED. */
  async spendCost(cost: number): Promise<void> {
    await this.#count(Math.floor(cost / this.services.config.RATE_LIMIT_COST));
  }

  /**
   * Does a bulk: its rows are counted, and a long one waits for its turn among its holder's. Throws
   * RATE_LIMITED, too_many_requests, and as `work`.
   */
  async bulk<T>(rows: number, work: () => Promise<T>): Promise<T> {
    const units = Math.ceil(rows / this.services.config.RATE_LIMIT_ROWS);
    if (units <= 1) return work();
    await this.#enterBulk();
    await this.#count(units - 1);
    return work();
  }

  async #count(units: number): Promise<void> {
    if (units > 0) await this.#spend?.(units);
  }
}
