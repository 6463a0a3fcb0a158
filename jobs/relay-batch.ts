import type { Pool } from 'pg';
import { lazily } from '../src/db/lazily.ts';
import { named } from '../src/db/named.ts';
import { firstRow } from '../src/db/pool.ts';
import { crashPoint } from '../src/process/crash-point.ts';
import { maxAttempts } from '../src/queue/queue.ts';

/** Jobs of one tenant, and tenants, in one batch: a tenant with very many jobs keeps no other waiting. */
export const share = 200;
const tenants = 20;

const relayJobs = named(
  'relay_jobs',
  ['after', 'tenants', 'share', 'tries'],
  `SELECT moved, last_tenant AS "lastTenant" FROM ops.relay_jobs(@after, @tenants, @share, @tries), ${lazily}`,
);

interface Batch {
  readonly moved: number;
  /** The tenant after which to go on; null after the last one. */
  readonly lastTenant: string | null;
}

/**
 * Moves a batch of jobs from the outbox to graphile-worker: one statement, which a crash leaves done or undone. It need
 * not last: whoever takes a job waits for that.
 *
 * @param after the tenant at which the batch before ended; null for the first one
 */
export async function relayBatch(pool: Pool, after: string | null): Promise<Batch> {
  const values = relayJobs.of({ after, tenants, share, tries: maxAttempts });
  const batch = await firstRow<Batch>(pool, relayJobs, values);
  if (batch === null) throw new Error('ops.relay_jobs returned no row');
  if (batch.moved > 0) crashPoint('relay_moved');
  return batch;
}
