import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';

/*
 * Deletes records that expire, of all tenants at once. Each statement deletes a bounded number of rows and
 * skips rows that another transaction has locked, so that a deletion and a command never wait for each other
 * in a circle. Payouts, transitions, attempts, decisions, events and deliveries are never deleted.
 */

/** Rows of one statement, which then takes well under a second. */
export const batchSize = 5_000;

/**
 * The table is walked page by page, once from front to back, because an index on the time would cost
 * each create more than the walk costs in an hour. A key is free IDEMPOTENCY_HOURS after its first use, by
 * the same clock (`create-store.ts`). Its row stays an hour longer, so that every create that relied on it
 * has ended.
 */
const deleteIdempotency: Statement = {
  name: 'delete_payout_idempotency',
  text: `
    DELETE FROM payout_idempotency WHERE ctid = ANY (ARRAY (
      SELECT ctid FROM payout_idempotency
      WHERE ctid >= format('(%s,0)', $1::bigint)::tid AND ctid < format('(%s,0)', $1::bigint + $2::bigint)::tid
        AND created_at < now() - make_interval(hours => $3)
      FOR UPDATE SKIP LOCKED
    ))
    RETURNING 1`,
};

const idempotencyPages: Statement = {
  name: 'payout_idempotency_pages',
  text: `
    SELECT (pg_relation_size('payout_idempotency') / current_setting('block_size')::bigint)::float8 AS pages`,
};

/** A page holds some sixty keys. */
const pagesAtATime = 100;

/** Deletes the idempotency records that were made more than `hours` ago; resolves with their number. */
export async function deleteIdempotencyRecords(client: Queryable, hours: number): Promise<number> {
  const size = await firstRow<{ pages: number }>(client, idempotencyPages, []);
  const pages = size?.pages ?? 0;
  let deleted = 0;
  for (let page = 0; page < pages; page += pagesAtATime) {
    deleted += (await rows(client, deleteIdempotency, [page, pagesAtATime, hours])).length;
  }
  return deleted;
}

const deleteJobRuns: Statement = {
  name: 'delete_job_runs',
  text: `
    DELETE FROM job_run WHERE id IN (
      SELECT id FROM job_run WHERE ended_at < now() - make_interval(days => $1::integer)
      ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED
    )
    RETURNING 1`,
};

/** Deletes up to `batchSize` runs of jobs that ended more than `days` ago. */
export async function deleteJobRunsBatch(client: Queryable, days: number): Promise<number> {
  return (await rows(client, deleteJobRuns, [days, batchSize])).length;
}

/** An event that still waits to be applied stays, however old it is. */
const deleteProviderEvents: Statement = {
  name: 'delete_provider_events',
  text: `
    DELETE FROM provider_event WHERE (provider, event_id) IN (
      SELECT provider, event_id FROM provider_event
      WHERE status <> 'received' AND received_at < now() - make_interval(days => $1::integer)
      ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
    )
    RETURNING 1`,
};

/** Deletes up to `batchSize` closed events that came more than `days` ago. */
export async function deleteProviderEventsBatch(client: Queryable, days: number): Promise<number> {
  return (await rows(client, deleteProviderEvents, [days, batchSize])).length;
}

export interface ExpiredExport {
  readonly tenantId: string;
  readonly exportId: string;
  readonly generation: number;
}

/** A download that began before the expiry has an hour to finish. */
const expiredExports: Statement = {
  name: 'expired_exports',
  text: `
    SELECT x.tenant_id AS "tenantId", x.id AS "exportId", x.generation FROM export x
    WHERE x.status = 'completed' AND x.expires_at < now() - interval '1 hour'
    ORDER BY x.expires_at LIMIT $1`,
};

/** Up to `limit` completed exports whose file has expired. */
export async function findExpiredExports(
  client: Queryable,
  limit: number,
): Promise<ExpiredExport[]> {
  return rows<ExpiredExport>(client, expiredExports, [limit]);
}

const markExpired: Statement = {
  name: 'mark_export_expired',
  text: `UPDATE export SET status = 'expired' WHERE tenant_id = $1 AND id = $2 AND status = 'completed'`,
};

/** Records that the file of an export is deleted. */
export async function markExportExpired(
  client: Queryable,
  { tenantId, exportId }: ExpiredExport,
): Promise<void> {
  await rows(client, markExpired, [tenantId, exportId]);
}
