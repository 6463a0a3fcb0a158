import { jobScope } from '../../access/system.ts';
import { inTransaction, platformStatement } from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';
import type { Services } from '../../process/services.ts';
import { endLiveRequest } from '../beneficiary/end-request.ts';
import { lockBeneficiary } from '../beneficiary/store.ts';

/** Bounds of one job; the job of the next minute takes the rest. */
const batchSize = 200;
const maximumBatches = 20;

interface Due {
  /** As text: a cursor is exact to the microsecond, which a Date is not. */
  readonly expiresAt: string;
  readonly tenantId: string;
  readonly id: string;
  readonly beneficiaryId: string;
}

/** The job serves all tenants, so this statement names none. */
const dueRequests = platformStatement({
  name: 'expired_collection_requests',
  text: `
    SELECT r.expires_at::text AS "expiresAt", r.tenant_id AS "tenantId", r.id,
      r.beneficiary_id AS "beneficiaryId"
    FROM across.collection_request r
    WHERE r.status = 'live' AND r.expires_at <= now()
      AND (r.expires_at, r.tenant_id, r.id) > ($2::timestamptz, $3::text, $4::uuid)
    ORDER BY r.expires_at, r.tenant_id, r.id LIMIT $1`,
});

/** Before every request. */
const start = { expiresAt: '-infinity', tenantId: '', id: '00000000-0000-0000-0000-000000000000' };

/**
 * Ends the requests whose time is over: deletes their drafts and updates the beneficiaries'
 * `collection_status`. It may run late, since a link past its time opens nothing. A request that
 * cannot be ended does not hold up the others. Returns how many it ended, and throws at the end when
 * some could not be ended.
 */
export async function expireRequests(services: Services): Promise<number> {
  const { log, pool } = services;
  const failures: unknown[] = [];
  let ended = 0;
  let after: Pick<Due, 'expiresAt' | 'tenantId' | 'id'> = start;
  for (let batch = 0; batch < maximumBatches; batch += 1) {
    const values = [batchSize, after.expiresAt, after.tenantId, after.id];
    const due = await rowsAcross<Due & Record<string, unknown>>(pool, dueRequests, values);
    for (const request of due) {
      try {
        if (await expire(services, request)) ended += 1;
      } catch (error) {
        const about = { tenant_id: request.tenantId, collection_request_id: request.id };
        log.error(
          { ...about, message: String(error) },
          'an expired collection request could not be ended; the next run tries again',
        );
        failures.push(error);
      }
    }
    after = due.at(-1) ?? after;
    if (due.length < batchSize) break;
  }
  if (ended > 0) log.info({ requests: ended }, 'ended expired collection requests');
  if (failures.length > 0) {
    throw new AggregateError(failures, `${failures.length} collection requests were not ended`);
  }
  return ended;
}

async function expire(services: Services, { tenantId, id, beneficiaryId }: Due): Promise<boolean> {
  const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'collection' });
  return inTransaction(services.pool, async (client) => {
    await lockBeneficiary(client, scope, beneficiaryId);
    return endLiveRequest(client, scope, beneficiaryId, { as: 'expired', id });
  });
}
