import type { Pool } from 'pg';
import { named } from '../../db/named.ts';
import {
  firstRow,
  platformStatement,
  rows,
  type Queryable,
  type Statement,
} from '../../db/pool.ts';
import { rowsAcross } from '../../db/reach.ts';

/*
 * Deletes records that expire, of all tenants at once. Each statement deletes a bounded number of rows and
 * skips rows that another transaction has locked, so that a deletion and a command never wait for each other
 * in a circle. Payouts, transitions, attempts, decisions, events and deliveries are never deleted.
 */

/** Rows of one statement, which then takes well under a second. */
export const batchSize = 5_000;

/**
 * A part of a tenant's keys is read in their order, and those of it that expired are deleted: each tenant's
 * keys are walked once, because an index on the time would cost each create more than the walk costs in an
 * hour. A key is free IDEMPOTENCY_HOURS after its first use, by the same clock (`create-store.ts`). Its row
 * stays an hour longer, so that every create that relied on it has ended.
 */
const partOfKeys: Statement = {
  name: 'payout_idempotency_part',
  text: `
    SELECT max(part.idempotency_key) AS last, count(*)::integer AS read FROM (
      SELECT i.idempotency_key FROM payout_idempotency i
      WHERE i.tenant_id = $1 AND i.idempotency_key > $2
      ORDER BY i.idempotency_key LIMIT $3
    ) part`,
};

const deleteIdempotency = named(
  'delete_payout_idempotency',
  ['tenant', 'after', 'last', 'hours'],
  `
    WITH expired AS MATERIALIZED (
      SELECT i.idempotency_key FROM payout_idempotency i
      WHERE i.tenant_id = @tenant AND i.idempotency_key > @after AND i.idempotency_key <= @last
        AND i.created_at < now() - make_interval(hours => @hours)
      FOR UPDATE SKIP LOCKED
    )
    DELETE FROM payout_idempotency i USING expired x
    WHERE i.tenant_id = @tenant AND i.idempotency_key = x.idempotency_key
    RETURNING 1`,
);

interface ReadPart {
  /** The last key of the part; null where there was none. */
  readonly last: string | null;
  readonly read: number;
}

/** Of what is created more seldom than payouts, so an index on the time costs little. */
const deleteCreationKeys = named(
  'delete_creation_keys',
  ['tenant', 'hours', 'take'],
  `
    WITH expired AS MATERIALIZED (
      SELECT k.operation, k.idempotency_key FROM creation_key k
      WHERE k.tenant_id = @tenant AND k.created_at < now() - make_interval(hours => @hours)
      ORDER BY k.created_at LIMIT @take FOR UPDATE SKIP LOCKED
    )
    DELETE FROM creation_key k USING expired x
    WHERE k.tenant_id = @tenant AND k.operation = x.operation AND k.idempotency_key = x.idempotency_key
    RETURNING 1`,
);

const tenantIds = platformStatement({
  name: 'tenants_after',
  text: 'SELECT t.id FROM tenant t WHERE t.id > $1 ORDER BY t.id LIMIT $2',
});

/** Deletes the idempotency records that were made more than `hours` ago; resolves with their number. */
export async function deleteIdempotencyRecords(client: Queryable, hours: number): Promise<number> {
  let deleted = 0;
  let tenants: { id: string }[];
  let after = '';
  do {
    tenants = await rows<{ id: string }>(client, tenantIds, [after, batchSize]);
    for (const { id } of tenants) {
      deleted += await deleteOfTenant(client, id, hours);
      deleted += await deleteCreationKeysOf(client, id, hours);
      after = id;
    }
  } while (tenants.length === batchSize);
  return deleted;
}

async function deleteCreationKeysOf(
  client: Queryable,
  tenant: string,
  hours: number,
): Promise<number> {
  let deleted = 0;
  let gone = batchSize;
  while (gone === batchSize) {
    const values = deleteCreationKeys.of({ tenant, hours, take: batchSize });
    gone = (await rows(client, deleteCreationKeys, values)).length;
    deleted += gone;
  }
  return deleted;
}

async function deleteOfTenant(client: Queryable, tenant: string, hours: number): Promise<number> {
  let deleted = 0;
  let read = batchSize;
  let after = '';
  while (read === batchSize) {
    const values = [tenant, after, batchSize] as const;
    const part = await firstRow<ReadPart & Record<string, unknown>>(client, partOfKeys, values);
    if (part === null || part.last === null) break;
    const { last } = part;
    const gone = deleteIdempotency.of({ tenant, after, last, hours });
    deleted += (await rows(client, deleteIdempotency, gone)).length;
    ({ read } = part);
    after = last;
  }
  return deleted;
}

const deleteJobRuns = platformStatement({
  name: 'delete_job_runs',
  text: `
    DELETE FROM job_run WHERE id IN (
      SELECT id FROM job_run WHERE ended_at < now() - make_interval(days => $1::integer)
      ORDER BY ended_at LIMIT $2 FOR UPDATE SKIP LOCKED
    )
    RETURNING 1`,
});

/** Deletes up to `batchSize` runs of jobs that ended more than `days` ago. */
export async function deleteJobRunsBatch(client: Queryable, days: number): Promise<number> {
  return (await rows(client, deleteJobRuns, [days, batchSize])).length;
}

/** An event that still waits to be applied stays, however old it is. */
const deleteProviderEvents = platformStatement({
  name: 'delete_provider_events',
  text: `
    DELETE FROM provider_event WHERE (provider, event_id) IN (
      SELECT provider, event_id FROM provider_event
      WHERE status <> 'received' AND received_at < now() - make_interval(days => $1::integer)
      ORDER BY received_at LIMIT $2 FOR UPDATE SKIP LOCKED
    )
    RETURNING 1`,
});

/** Deletes up to `batchSize` closed events that came more than `days` ago. */
export async function deleteProviderEventsBatch(client: Queryable, days: number): Promise<number> {
  return (await rows(client, deleteProviderEvents, [days, batchSize])).length;
}

/** Their links go with them. */
const deleteSignInRequests = platformStatement({
  name: 'delete_sign_in_requests',
  text: `
    DELETE FROM sign_in_request WHERE id IN (
      SELECT id FROM sign_in_request WHERE expires_at < now() - interval '1 day'
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )
    RETURNING 1`,
});

/** Deletes up to `batchSize` requests to sign in whose time was over a day ago. */
export async function deleteSignInRequestsBatch(client: Queryable): Promise<number> {
  return (await rows(client, deleteSignInRequests, [batchSize])).length;
}

/** Their links go with them. They hold names and addresses, of people who may never have asked for anything. */
const deleteProofs = platformStatement({
  name: 'delete_registration_proofs',
  text: `
    DELETE FROM registration_proof WHERE id IN (
      SELECT id FROM registration_proof WHERE expires_at < now() - interval '1 day'
      ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )
    RETURNING 1`,
});

/** Deletes up to `batchSize` links of registrations whose time was over a day ago. */
export async function deleteProofsBatch(client: Queryable): Promise<number> {
  return (await rows(client, deleteProofs, [batchSize])).length;
}

/** It locks nothing before, since the service may not change a challenge, and PostgreSQL asks for that right. */
const deleteChallenges = platformStatement({
  name: 'delete_passkey_challenges',
  text: `
    DELETE FROM passkey_challenge WHERE challenge_hash IN (
      SELECT challenge_hash FROM passkey_challenge WHERE expires_at < now() ORDER BY expires_at LIMIT $1
    )
    RETURNING 1`,
});

/** Deletes up to `batchSize` challenges that no passkey answered in time. */
export async function deleteChallengesBatch(client: Queryable): Promise<number> {
  return (await rows(client, deleteChallenges, [batchSize])).length;
}

const forgetStepUps = platformStatement({
  name: 'forget_step_ups',
  text: 'SELECT ops.forget_step_ups($1) AS count',
});

/** Deletes up to `batchSize` questions for a passkey's signature that nobody answered for a day. */
export async function deleteStepUpsBatch(client: Queryable): Promise<number> {
  const [row] = await rows<{ count: number }>(client, forgetStepUps, [batchSize]);
  return row?.count ?? 0;
}

/** A session says in which browser and network somebody was at work, which nobody needs for ever. */
const deleteSessions = platformStatement({
  name: 'delete_user_sessions',
  text: `
    DELETE FROM user_session WHERE id IN (
      SELECT id FROM user_session WHERE expires_at < now() - make_interval(days => $1::integer)
      ORDER BY expires_at LIMIT $2 FOR UPDATE SKIP LOCKED
    )
    RETURNING 1`,
});

/** Deletes up to `batchSize` sessions whose longest time was over more than `days` ago. */
export async function deleteSessionsBatch(client: Queryable, days: number): Promise<number> {
  return (await rows(client, deleteSessions, [days, batchSize])).length;
}

export interface ExpiredExport {
  readonly tenantId: string;
  readonly exportId: string;
  readonly generation: number;
}

/** A download that began before the expiry has an hour to finish. */
const expiredExports = platformStatement({
  name: 'expired_exports',
  text: `
    SELECT x.tenant_id AS "tenantId", x.id AS "exportId", x.generation FROM across.export x
    WHERE x.status = 'completed' AND x.expires_at < now() - interval '1 hour'
    ORDER BY x.expires_at LIMIT $1`,
});

/** Up to `limit` completed exports whose file has expired. */
export async function findExpiredExports(pool: Pool, limit: number): Promise<ExpiredExport[]> {
  return rowsAcross<ExpiredExport & Record<string, unknown>>(pool, expiredExports, [limit]);
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

/** Changes that nobody confirmed in time, of all tenants; their payloads are forgotten one tenant at a time. */
const expiredChanges = platformStatement({
  name: 'expired_proposed_changes',
  text: `
    SELECT c.tenant_id AS "tenantId", c.id FROM across.proposed_change c
    WHERE c.status = 'waiting' AND c.expires_at < now() ORDER BY c.tenant_id, c.id LIMIT $1`,
});

export interface ExpiredChange {
  readonly tenantId: string;
  readonly id: string;
}

/** Up to `most` changes that can no longer be confirmed. */
export function findExpiredChanges(pool: Pool, most: number): Promise<ExpiredChange[]> {
  type Row = ExpiredChange & Record<string, unknown>;
  return rowsAcross<Row>(pool, expiredChanges, [most]);
}
