import { DomainError } from '../../errors/domain-error.ts';
import type { Services } from '../../process/services.ts';
import { AddressCount } from './address-count.ts';
import type { LimitState } from './limit.ts';

/** Counts one operation; reports what its address has left. Throws too_many_requests. */
export type AdmitKeyless = (clientAddress: string, report: (limit: LimitState) => void) => void;

/**
 * Makes the function that counts operations of callers without a valid key, before their text is
 * read. The limit protects the time of this process, so it is counted in its memory.
 */
export function createKeylessLimit({ config }: Pick<Services, 'config'>): AdmitKeyless {
  const operations = new AddressCount('keyless', config.KEYLESS_RATE_LIMIT);
  return (clientAddress, report) => {
    const before = operations.state(clientAddress);
    if (!before.refused) operations.record(clientAddress);
    const { remaining, resetSeconds } = operations.state(clientAddress);
    report({ ...before, remaining, resetSeconds });
    if (!before.refused) return;
    throw new DomainError('too_many_requests', {
      message: 'Too many operations without a valid API key from this address.',
    });
  };
}
