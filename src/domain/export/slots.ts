import { Slots } from '../../concurrency/slots.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { oncePerProcess } from '../../process/once.ts';
import type { Call } from '../../process/services.ts';

/** An export holds a connection while it is read: one business may have this many at a time. */
const mostOfTenant = 3;

/** How long a caller waits for a slot; exports are usually over within seconds. */
const waitMs = 10_000;

/** A file that is written takes two connections, one to read with and one to write with. */
const connectionsOfFile = 2;

/** A quarter of the pool at most, so that slow readers cannot keep payouts from being made. */
const slotsOf = (connections: number): number => Math.max(2, Math.floor(connections / 4));

/** How long a download holds its slot is up to its reader, so a business gets half of them at most. */
const downloads = oncePerProcess(({ DATABASE_POOL_SIZE }) => {
  const slots = slotsOf(DATABASE_POOL_SIZE);
  const ofHolder = Math.max(1, Math.min(mostOfTenant, Math.floor(slots / 2)));
  return new Slots({ slots, ofHolder, waiting: Number.POSITIVE_INFINITY, waitMs });
});

const files = oncePerProcess(({ DATABASE_POOL_SIZE }) => {
  const slots = slotsOf(Math.floor(DATABASE_POOL_SIZE / connectionsOfFile));
  return new Slots({ slots, ofHolder: mostOfTenant, waiting: 0, waitMs });
});

/** The parts of a call that slots are counted by. */
type Caller = {
  readonly scope: Pick<Call['scope'], 'tenantId'>;
  readonly services: Pick<Call['services'], 'config'>;
};

/** A slot to write a file with, or null where none is free: a job can come again. */
export function tryFileSlot({ scope: { tenantId }, services }: Caller): (() => void) | null {
  const slots = files(services);
  if (!slots.isFree(tenantId)) return null;
  slots.take(tenantId);
  return () => slots.leave(tenantId);
}

/**
 * Waits for a slot to read a download with.
 * @returns the function that gives the slot back
 * @throws `too_many_requests` when none becomes free in time
 */
export async function takeDownloadSlot({
  scope: { tenantId },
  services,
}: Caller): Promise<() => void> {
  const slots = downloads(services);
  if (await slots.enter(tenantId)) return () => slots.leave(tenantId);
  throw new DomainError('too_many_requests', {
    message:
      'Too many exports are under way; retry when one of them has ended, or send `Prefer: respond-async` to have a job write the file.',
  });
}
