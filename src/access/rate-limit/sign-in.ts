import { DomainError } from '../../errors/domain-error.ts';
import { addressGroup } from '../../net/client-address.ts';
import type { Services } from '../../process/services.ts';
import { wholeSeconds, type LimitState } from './limit.ts';
import { reserveQuota } from './store.ts';

const windowSeconds = 60;

/**
 * Counts one try to sign in from a client address, in whatever way, before anything that it shows is looked
 * at. Throws too_many_requests.
 */
export async function admitSignIn(
  { pool, config }: Pick<Services, 'pool' | 'config'>,
  clientAddress: string,
  report: (limit: LimitState) => void,
): Promise<void> {
  const quota = config.SIGN_IN_RATE_LIMIT;
  const scope = `sign-in:${addressGroup(clientAddress)}`;
  const grant = await reserveQuota(pool, scope, { quota, windowSeconds, needed: 1, wanted: 1 });
  const refused = grant.granted === 0;
  report({
    policy: 'sign-in',
    quota,
    windowSeconds,
    remaining: grant.remaining,
    resetSeconds: wholeSeconds(grant.milliseconds),
    refused,
  });
  if (refused) throw new DomainError('too_many_requests');
}
