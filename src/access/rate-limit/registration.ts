import { DomainError } from '../../errors/domain-error.ts';
import { addressGroup } from '../../net/client-address.ts';
import type { Services } from '../../process/services.ts';
import { wholeSeconds, type LimitState } from './limit.ts';
import { reserveQuota } from './store.ts';

/** Window of the registrations of one client. */
const windowSeconds = 3_600;

/**
 * Counts one attempt to register from a client address, exactly: each asks the database. Refused registrations count too, since their answer tells whether an e-mail address has
 * an account here.
 */
async function charge(
  { pool, config }: Pick<Services, 'pool' | 'config'>,
  clientAddress: string,
): Promise<LimitState> {
  const quota = config.REGISTRATION_RATE_LIMIT;
  const grant = await reserveQuota(pool, `registration:${addressGroup(clientAddress)}`, {
    quota,
    windowSeconds,
    needed: 1,
    wanted: 1,
  });
  return {
    policy: 'registration',
    quota,
    windowSeconds,
    remaining: grant.remaining,
    resetSeconds: wholeSeconds(grant.milliseconds),
    refused: grant.granted === 0,
  };
}

/**
 * Counts an attempt to register and reports what is left, for the headers of the answer; calls from
 * within the service have no address and no limit. Throws REGISTRATION_RATE_LIMITED.
 */
export async function admitRegistration(
  services: Pick<Services, 'pool' | 'config'>,
  clientAddress: string | null,
  report: (limit: LimitState) => void,
): Promise<void> {
  if (clientAddress === null) return;
  const limit = await charge(services, clientAddress);
  report(limit);
  if (limit.refused) throw new DomainError('REGISTRATION_RATE_LIMITED');
}
