import { jobScope } from '../../access/system.ts';
import { inTransaction } from '../../db/pool.ts';
import { enqueue } from '../../queue/queue.ts';
import type { Services } from '../../process/services.ts';
import { deleteOldVersions } from '../screening/retention.ts';
import { deleteOlderChunks } from '../export/chunk-store.ts';
import { clearErasedPayees } from '../personal/clear-erased.ts';
import { endChange } from '../proposed-change/store.ts';
import {
  batchSize,
  deleteChallengesBatch,
  deleteIdempotencyRecords,
  deleteJobRunsBatch,
  deleteProofsBatch,
  deleteProviderEventsBatch,
  deleteSessionsBatch,
  deleteSignInRequestsBatch,
  deleteStepUpsBatch,
  findExpiredChanges,
  findExpiredExports,
  markExportExpired,
} from './store.ts';

/** Batches of one kind in one job. The next job deletes the rest. */
const maximumBatches = 100;
const exportsAtATime = 100;
const changesAtATime = 100;

/** Differs from the crontab's key, whose next job would replace this one. */
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

/** Deletes the files of expired exports. Their rows stay as a record. */
async function deleteFiles(services: Services): Promise<Deleted> {
  const expired = await findExpiredExports(services.pool, exportsAtATime);
  for (const found of expired) {
    const { tenantId, exportId, generation } = found;
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'retention' });
    await deleteOlderChunks(services.pool, { scope, exportId, generation: generation + 1 });
    // Only afterwards, so that a file whose deletion was interrupted is found again.
    await markExportExpired(services.pool, found);
  }
  return { count: expired.length, done: expired.length < exportsAtATime };
}

/** Forgets what proposed changes hold that nobody confirmed in time. Their rows stay as a record. */
async function endChanges(services: Services): Promise<Deleted> {
  const expired = await findExpiredChanges(services.pool, changesAtATime);
  for (const { tenantId, id } of expired) {
    const scope = await jobScope(services.pool, tenantId, { type: 'system', name: 'retention' });
    await endChange(services.pool, scope, id, { status: 'expired', who: null });
  }
  return { count: expired.length, done: expired.length < changesAtATime };
}

/**
 * Deletes what has expired: idempotency records (`IDEMPOTENCY_HOURS`), the history of jobs
 * (`JOB_HISTORY_DAYS`), closed provider events (`PROVIDER_EVENT_DAYS`) and the files of exports
 * (`EXPORT_LIFETIME_HOURS`), sessions (`SESSION_HISTORY_DAYS`), what was asked for to sign in or to prove a
 * registration, questions for a signature that nobody answered, what proposed changes hold that nobody confirmed, and
 * entries of old versions of lists of sanctions (`WATCHLIST_KEEP_DAYS`). It works in bounded batches and leaves the rest to
 * another job. It also clears
 * what has been written about erased payees since. The API itself deletes the windows of rate limits.
 */
export async function deleteExpired(services: Services): Promise<void> {
  const { pool, config, log } = services;
  const idempotency = await deleteIdempotencyRecords(pool, config.IDEMPOTENCY_HOURS + 1);
  const jobRuns = await inBatches(() => deleteJobRunsBatch(pool, config.JOB_HISTORY_DAYS));
  const events = await inBatches(() => deleteProviderEventsBatch(pool, config.PROVIDER_EVENT_DAYS));
  const files = await deleteFiles(services);
  await clearErasedPayees(pool);
  const links = await inBatches(() => deleteSignInRequestsBatch(pool));
  const proofs = await inBatches(() => deleteProofsBatch(pool));
  const challenges = await inBatches(() => deleteChallengesBatch(pool));
  const stepUps = await inBatches(() => deleteStepUpsBatch(pool));
  const sessions = await inBatches(() => deleteSessionsBatch(pool, config.SESSION_HISTORY_DAYS));
  const changes = await endChanges(services);
  const listed = await deleteOldVersions(services);
  const parts = { jobRuns, events, files, links, proofs, challenges, stepUps, sessions, changes };
  const counts = Object.entries(parts).map(([name, { count }]) => [name, count] as const);
  log.info({ idempotency, listed, ...Object.fromEntries(counts) }, 'deleted what has expired');
  if (Object.values(parts).every(({ done }) => done)) return;
  await inTransaction(pool, (client) =>
    enqueue(client, 'delete_expired', {}, { jobKey: continuationKey }),
  );
}
