import { jobScope } from '../../access/system.ts';
import { inTransaction } from '../../db/pool.ts';
import { enqueue } from '../../queue/queue.ts';
import type { Services } from '../../process/services.ts';
import { deleteOlderChunks } from '../export/chunk-store.ts';
import {
  batchSize,
  deleteIdempotencyRecords,
  deleteJobRunsBatch,
  deleteProviderEventsBatch,
  findExpiredExports,
  markExportExpired,
} from './store.ts';

/** Batches of one kind in one job; what is beyond them is the next one's. */
const maximumBatches = 100;
const exportsAtATime = 100;

/** Not the crontab's key, whose job would take the place of this one. */
const continuationKey = 'delete_expired_on';

interface Deleted {
  readonly count: number;
  /** Whether nothing was left. */
  readonly done: boolean;
}

async function inBatches(deleteBatch: () => Promise<number>): Promise<Deleted> {
  let count = 0;
  for (let batch = 0; batch < maximumBatches; batch += 1) {
    const deleted = await deleteBatch();
    count += deleted;
    if (deleted < batchSize) return { count, done: true };
  }
  return { count, done: false };
}

/** Deletes the files of exports whose time is over; their rows stay as a record. */
async function deleteFiles(services: Services): Promise<Deleted> {
  const expired = await findExpiredExports(services.pool, exportsAtATime);
  for (const found of expired) {
    const { tenantId, exportId, generation } = found;
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'retention' });
    await deleteOlderChunks(services.pool, { scope, exportId, generation: generation + 1 });
    // Afterwards, so that a file which was deleted half-way is found again.
    await markExportExpired(services.pool, found);
  }
  return { count: expired.length, done: expired.length < exportsAtATime };
}

/**
 * Deletes what is kept for a time only: idempotency records (`IDEMPOTENCY_HOURS`), the history of jobs
 * (`JOB_HISTORY_DAYS`), closed provider events (`PROVIDER_EVENT_DAYS`), the files of exports
 * (`EXPORT_LIFETIME_HOURS`). In bounded batches; what is left beyond them is another job's. Windows of
 * rate limits are the API's own to forget.
 */
export async function deleteExpired(services: Services): Promise<void> {
  const { pool, config, log } = services;
  const idempotency = await deleteIdempotencyRecords(pool, config.IDEMPOTENCY_HOURS + 1);
  const jobRuns = await inBatches(() => deleteJobRunsBatch(pool, config.JOB_HISTORY_DAYS));
  const events = await inBatches(() => deleteProviderEventsBatch(pool, config.PROVIDER_EVENT_DAYS));
  const files = await deleteFiles(services);
  const parts = { jobRuns, events, files };
  const counts = Object.entries(parts).map(([name, { count }]) => [name, count] as const);
  log.info({ idempotency, ...Object.fromEntries(counts) }, 'deleted what has expired');
  if (Object.values(parts).every(({ done }) => done)) return;
  await inTransaction(pool, (client) =>
    enqueue(client, 'delete_expired', {}, { jobKey: continuationKey }),
  );
}
