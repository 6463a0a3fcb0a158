import { addressGroup } from '../../net/client-address.ts';
import { wholeSeconds, type LimitState } from './limit.ts';

const windowSeconds = 60;
const maxAddresses = 10_000;

interface Failures {
  count: number;
  readonly ends: number;
}

/**
 * Failed authentications of each client address in the last minute. Guessing a key is hopeless (256
 * random bits); what the limit saves is the read of the database that each new key costs. So it is
 * kept in this process's memory, bounded, and holds for each process alone.
 */
export class AuthenticationFailures {
  readonly #quota: number;
  readonly #now: () => number;
  readonly #byAddress = new Map<string, Failures>();

  constructor(quota: number, now: () => number = () => performance.now()) {
    this.#quota = quota;
    this.#now = now;
  }

  /** What the address has left; `refused` where it has nothing left. */
  state(clientAddress: string): LimitState {
    const at = this.#now();
    const failures = this.#byAddress.get(addressGroup(clientAddress));
    const current = failures !== undefined && failures.ends > at ? failures : null;
    const remaining = Math.max(0, this.#quota - (current?.count ?? 0));
    return {
      policy: 'authentication',
      quota: this.#quota,
      windowSeconds,
      remaining,
      resetSeconds: current === null ? windowSeconds : wholeSeconds(current.ends - at),
      refused: remaining === 0,
    };
  }

  /** Counts a credential that was shown and is not valid. */
  record(clientAddress: string): void {
    const at = this.#now();
    const group = addressGroup(clientAddress);
    const failures = this.#byAddress.get(group);
    if (failures !== undefined && failures.ends > at) {
      failures.count += 1;
      return;
    }
    // Deleted first, so that the map's order is the order in which windows end.
    this.#byAddress.delete(group);
    for (const [other, { ends }] of this.#byAddress) {
      if (ends > at && this.#byAddress.size < maxAddresses) break;
      this.#byAddress.delete(other);
    }
    this.#byAddress.set(group, { count: 1, ends: at + windowSeconds * 1_000 });
  }
}
