import type { Pool } from 'pg';
import { named } from '../src/db/named.ts';
import { firstRow } from '../src/db/pool.ts';
import { crashPoint } from '../src/process/crash-point.ts';
import { maxAttempts } from '../src/queue/queue.ts';

/** Jobs of one tenant, and tenants, in one batch: a tenant with very many jobs keeps no other waiting. */
export const share = 200;
const tenants = 20;

const relayJobs = named(
  'relay_batch',
  ['after', 'tenants', 'share', 'tries'],
  `
    SELECT moved, last_tenant AS "lastTenant", kept
    FROM ops.relay_batch(@after, @tenants, @share, @tries, true)`,
);

interface Batch {
  readonly moved: number;
  /** The tenant after which to go on; null after the last one. */
  readonly lastTenant: string | null;
}

interface Relayed extends Batch {
  /** Whether jobs that were added are still in the outbox, as they are on Citus. */
  readonly kept: boolean;
}

const clearOutbox = named('clear_outbox', ['most'], `SELECT ops.clear_outbox(@most) AS more`);

/**
 * Moves a batch of jobs from the outbox to graphile-worker. It is one statement, which a crash leaves done or undone,
 * and which need not last: whoever takes a job waits for that.
 * On Citus, where the two are on different nodes, that statement adds the jobs and notes them, and others take them
 * from the outbox. After a crash between them the next batch of any relay does the rest.
 *
 * @param after the tenant at which the batch before ended; null for the first one
 */
export async function relayBatch(pool: Pool, after: string | null): Promise<Batch> {
  const values = relayJobs.of({ after, tenants, share, tries: maxAttempts });
  const batch = await firstRow<Relayed>(pool, relayJobs, values);
  if (batch === null) throw new Error('ops.relay_batch returned no row');
  const { moved, lastTenant, kept } = batch;
  if (moved > 0) crashPoint('relay_moved');
  for (let more = kept; more;) {
    const cleared = await firstRow<{ more: boolean }>(
      pool,
      clearOutbox,
      clearOutbox.of({ most: share }),
    );
    more = cleared?.more ?? false;
  }
  return { moved, lastTenant };
}
