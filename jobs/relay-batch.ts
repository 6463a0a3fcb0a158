import type { Pool } from 'pg';
import { namedOfPlatform } from '../src/db/named.ts';
import {
  firstRow,
  inTransaction,
  platformStatement,
  rows,
  type PlatformStatement,
} from '../src/db/pool.ts';
import { acrossNodes, type Reach } from '../src/db/reach.ts';
import { crashPoint } from '../src/process/crash-point.ts';
import { maxAttempts } from '../src/queue/queue.ts';

/** Jobs of one tenant, and tenants, in one batch: a tenant with very many jobs keeps no other waiting. */
export const share = 200;
const tenants = 20;

const relayJobs = namedOfPlatform(
  'relay_batch',
  ['after', 'tenants', 'share', 'tries'],
  `
    SELECT moved, last_tenant AS "lastTenant", kept
    FROM ops.relay_batch(@after, @tenants, @share, @tries, true)`,
);

interface Batch extends Record<string, unknown> {
  readonly moved: number;
  /** The tenant after which to go on; null after the last one. */
  readonly lastTenant: string | null;
}

interface Relayed extends Batch {
  /** Whether jobs that were added are still in the outbox, as they are on Citus. */
  readonly kept: boolean;
}

const clearOutbox = namedOfPlatform(
  'clear_outbox',
  ['most'],
  `SELECT ops.clear_outbox(@most) AS more`,
);

/**
 * Moves a batch of jobs from the outbox to graphile-worker. It is one statement, which a crash leaves done or undone,
 * and which need not last: whoever takes a job waits for that.
 * On Citus, where the two are on different nodes, that statement adds the jobs and notes them, and others take them
 * from the outbox. After a crash between them the next batch of any relay does the rest. The jobs of a node that does
 * not answer wait there until it does.
 *
 * @param after the tenant at which the batch before ended; null for the first one
 */
export function relayBatch(pool: Pool, after: string | null): Promise<Batch> {
  return acrossNodes(pool, (reach) => relayOf({ pool, reach }, after));
}

/** Whose jobs are moved: of all tenants, or of those that can be reached. */
interface Of {
  readonly pool: Pool;
  readonly reach: Reach | null;
}

async function relayOf(of: Of, after: string | null): Promise<Batch> {
  const values = relayJobs.of({ after, tenants, share, tries: maxAttempts });
  const batch = await firstOf<Relayed>(of, relayJobs, values);
  if (batch === null) throw new Error('ops.relay_batch returned no row');
  const { moved, lastTenant, kept } = batch;
  if (moved > 0) crashPoint('relay_moved');
  for (let more = kept; more;) {
    const cleared = await firstOf<{ more: boolean }>(
      of,
      clearOutbox,
      clearOutbox.of({ most: share }),
    );
    more = cleared?.more ?? false;
  }
  return { moved, lastTenant };
}

/** Names the tenants that the functions of the relay keep to in this transaction (19-distributed-service.sql). */
const keepTo = platformStatement({
  name: 'relay_reached',
  text: `SELECT set_config('app.reached', $1::text[]::text, true)`,
});

async function firstOf<R extends Record<string, unknown>>(
  { pool, reach }: Of,
  statement: PlatformStatement,
  values: readonly unknown[],
): Promise<R | null> {
  if (reach === null) return firstRow<R>(pool, statement, values);
  return inTransaction(pool, async (client) => {
    await rows(client, keepTo, [reach.tenants]);
    return firstRow<R>(client, statement, values);
  });
}
