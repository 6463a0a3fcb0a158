import type { Queryable } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Services } from '../../process/services.ts';
import type { Scope } from '../scope.ts';
import { wholeSeconds } from './limit.ts';
import { reserveQuota } from './store.ts';

/**
 * Counts one test event of the scope's tenant: anybody who registers can name any host as an endpoint, and each test is
 * a request to it with several tries. Called last in a transaction, since the tenant's other tests wait until it ends.
 * Throws too_many_requests.
 */
export async function admitWebhookTest(
  client: Queryable,
  { WEBHOOK_TESTS_PER_HOUR: quota }: Services['config'],
  { tenantId }: Scope,
): Promise<void> {
  const grant = await reserveQuota(client, `webhook-test:${tenantId}`, {
    quota,
    windowSeconds: 3_600,
    needed: 1,
    wanted: 1,
  });
  if (grant.granted > 0) return;
  throw new DomainError('too_many_requests', {
    message: `${quota} test events an hour may be sent; wait for Retry-After.`,
    retryAfterSeconds: wholeSeconds(grant.milliseconds),
  });
}
