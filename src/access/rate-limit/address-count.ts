import { addressGroup } from '../../net/client-address.ts';
import { wholeSeconds, type LimitState } from './limit.ts';

const windowSeconds = 60;
const maxAddresses = 10_000;

interface Counted {
  count: number;
  readonly ends: number;
}

/**
 * Counts what each client address did in the last minute, in the bounded memory of this process. It is
 * for work that costs less than a statement to the database.
 */
export class AddressCount {
  readonly #policy: LimitState['policy'];
  readonly #quota: number;
  readonly #now: () => number;
  readonly #byAddress = new Map<string, Counted>();

  constructor(
    policy: LimitState['policy'],
    quota: number,
    now: () => number = () => performance.now(),
  ) {
    this.#policy = policy;
    this.#quota = quota;
    this.#now = now;
  }

  /** What the address has left; `refused` where it has nothing left. */
  state(clientAddress: string): LimitState {
    const at = this.#now();
    const counted = this.#byAddress.get(addressGroup(clientAddress));
    const current = counted !== undefined && counted.ends > at ? counted : null;
    const remaining = Math.max(0, this.#quota - (current?.count ?? 0));
    return {
      policy: this.#policy,
      quota: this.#quota,
      windowSeconds,
      remaining,
      resetSeconds: current === null ? windowSeconds : wholeSeconds(current.ends - at),
      refused: remaining === 0,
    };
  }

  /** Counts one more of the address. */
  record(clientAddress: string): void {
    const at = this.#now();
    const group = addressGroup(clientAddress);
    const counted = this.#byAddress.get(group);
    if (counted !== undefined && counted.ends > at) {
      counted.count += 1;
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
