import { Slots } from '../../concurrency/slots.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { addressGroup } from '../../net/client-address.ts';
import type { Services } from '../../process/services.ts';
import { AddressCount } from './address-count.ts';
import type { LimitState } from './limit.ts';

/**
 * Bodies under way from addresses that have not shown a right signature: anybody can begin those. Few may wait of one
 * address, so that a provider finds a place to wait; it is then served before those that have more.
 */
export const bodiesOfUnproven = {
  ofAddress: 8,
  ofAll: 32,
  waiting: 256,
  waitingOfAddress: 4,
} as const;

/** Bodies under way from addresses that have: providers, which may send many events at a time. */
const bodiesOfProven = {
  ofAddress: 32,
  ofAll: 128,
  waiting: 1_000,
  waitingOfAddress: 1_000,
} as const;

/** How many addresses with a right signature are remembered; the oldest are forgotten first. */
const mostProven = 1_000;

/** What stands between the events that are posted and their bodies. */
export interface ProviderEventGate {
  /** Throws too_many_requests for an address whose signatures were wrong too often in the last minute. */
  admit(clientAddress: string, report: (limit: LimitState) => void): void;
  /** Reads a body when the address has a place for it, and gives the place back. Throws too_many_requests, and as `read`. */
  body(clientAddress: string, read: () => Promise<Buffer>): Promise<Buffer>;
  /** Counts a signature that was wrong, or a body that did not arrive. */
  failed(clientAddress: string): void;
  /** Notes a right signature. */
  proved(clientAddress: string): void;
}

const tooManyAtOnce = () =>
  new DomainError('too_many_requests', {
    message: 'Too many events of this address are under way; send fewer at a time.',
    retryAfterSeconds: 2,
  });

/**
 * Makes the gate of one process, in its memory. Only a signature tells a provider from anybody else, and it is over the
 * body. So an address may be wrong a few times in a minute, and one that was never right shares its places with all
 * the others. A provider posts from an address of its own, and nobody else uses up its places or its failures.
 */
export function createProviderEventGate({ config }: Pick<Services, 'config'>): ProviderEventGate {
  const failures = new AddressCount('provider-events', config.PROVIDER_EVENT_FAILURE_LIMIT);
  const slotsOf = ({
    ofAddress,
    ofAll,
    waiting,
    waitingOfAddress,
  }: Record<'ofAddress' | 'ofAll' | 'waiting' | 'waitingOfAddress', number>) =>
    new Slots({
      slots: ofAll,
      ofHolder: ofAddress,
      waiting,
      waitingOfHolder: waitingOfAddress,
      waitMs: config.TENANT_WAIT_MS,
    });
  const [ofUnproven, ofProven] = [slotsOf(bodiesOfUnproven), slotsOf(bodiesOfProven)];
  const proven = new Set<string>();

  return {
    admit(clientAddress, report) {
      const state = failures.state(clientAddress);
      if (!state.refused) return;
      report(state);
      throw new DomainError('too_many_requests', {
        message: 'Too many events with a wrong signature from this address.',
      });
    },
    async body(clientAddress, read) {
      const group = addressGroup(clientAddress);
      const slots = proven.has(group) ? ofProven : ofUnproven;
      if (!(await slots.enter(group))) throw tooManyAtOnce();
      try {
        return await read();
      } finally {
        slots.leave(group);
      }
    },
    failed: (clientAddress) => failures.record(clientAddress),
    proved(clientAddress) {
      const group = addressGroup(clientAddress);
      // Deleted first, so that the oldest comes first.
      proven.delete(group);
      proven.add(group);
      const [oldest] = proven;
      if (proven.size > mostProven && oldest !== undefined) proven.delete(oldest);
    },
  };
}
