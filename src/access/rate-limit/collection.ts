import { firstRow, platformStatement, type Queryable } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { addressGroup } from '../../net/client-address.ts';
import type { Services } from '../../process/services.ts';
import type { Scope } from '../scope.ts';
import { wholeSeconds, type LimitState } from './limit.ts';
import { reserveQuota } from './store.ts';

const windowSeconds = 60;

/** Who uses a link, as far as the limits need to know. */
export interface LinkClient {
  readonly services: Services;
  /** Network address; null for a call from within the service. */
  readonly clientAddress: string | null;
  readonly reportLimit: (limit: LimitState) => void;
}

type Parts = Pick<Services, 'pool' | 'config'>;
type Report = (limit: LimitState) => void;

/** Counts one use, exactly: each asks the database, since a form is used by one person. */
async function charge({ pool }: Parts, key: string, quota: number, report: Report): Promise<void> {
  const scope = `collection:${key}`;
  const grant = await reserveQuota(pool, scope, { quota, windowSeconds, needed: 1, wanted: 1 });
  const refused = grant.granted === 0;
  report({
    policy: 'collection',
    quota,
    windowSeconds,
    remaining: grant.remaining,
    resetSeconds: wholeSeconds(grant.milliseconds),
    refused,
  });
  if (refused) throw new DomainError('too_many_requests');
}

/**
 * Counts one use of any collection link from a client address, before the token is looked at: a
 * guess costs a count and no more. Calls from within the service have no address and no limit.
 * Throws too_many_requests.
 */
export async function admitCollectionClient(
  parts: Parts,
  clientAddress: string | null,
  report: Report,
): Promise<void> {
  if (clientAddress === null) return;
  const quota = parts.config.COLLECTION_ADDRESS_RATE_LIMIT;
  await charge(parts, `address:${addressGroup(clientAddress)}`, quota, report);
}

/**
 * Counts one use of one request's link, from wherever it comes. Only a request that exists is
 * counted, so that guesses leave no rows. Throws too_many_requests.
 */
export function admitCollectionRequest(
  parts: Parts,
  requestId: string,
  report: Report,
): Promise<void> {
  return charge(parts, `request:${requestId}`, parts.config.COLLECTION_LINK_RATE_LIMIT, report);
}

const mailWindowSeconds = 86_400;

/** A profile that nobody has looked at vouches for nothing: whoever registers can submit one. */
const tenantIsAccepted = platformStatement({
  name: 'tenant_has_accepted_profile',
  text: `
    SELECT t.environment = 'production' OR b.profile_status = 'accepted' AS accepted
    FROM tenant t JOIN business b ON b.id = t.business_id
    WHERE t.id = $1`,
});

/** Whether an operator has accepted the profile of a tenant's business; production has no other businesses. */
export async function isAccepted(client: Queryable, tenantId: string): Promise<boolean> {
  const found = await firstRow<{ accepted: boolean }>(client, tenantIsAccepted, [tenantId]);
  return found?.accepted === true;
}

/** What a caller is told beyond either bound of mails: it does not tell what others have mailed to an address. */
export const noMoreMails = 'No further mail of this kind may be sent for the time being.';

/**
 * Takes up to `wanted` of the links that the scope's tenant may mail in a day. The number is limited
 * because anybody who registers can have mail sent to any address in our name. Returns how many it
 * could take, down to 0. Called last in a transaction, since the tenant's other invites wait until
 * it ends.
 */
export async function grantCollectionMails(
  client: Queryable,
  config: Services['config'],
  { tenantId }: Scope,
  wanted: number,
): Promise<number> {
  const quota = (await isAccepted(client, tenantId))
    ? config.COLLECTION_MAILS_PER_DAY
    : config.COLLECTION_MAILS_PER_DAY_THIN;
  const grant = await reserveQuota(client, `collection-mail:${tenantId}`, {
    quota,
    windowSeconds: mailWindowSeconds,
    needed: wanted,
    wanted,
  });
  return grant.granted;
}
