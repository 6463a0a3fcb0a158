import pg, { type Pool } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { relayBatch } from '../../jobs/relay-batch.ts';
import { createPool, inTransaction } from '../../src/db/pool.ts';
import { enqueue, enqueueMany } from '../../src/queue/queue.ts';
import { newId } from '../../src/values/ids.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/factory.ts';

/** No death of a relay, and of no session that works for it, loses a job or adds it twice. */
let database: TestDatabase;
/** As the service's; the database's own would relay before the test looks. */
let pool: Pool;
const nodes = inject('citusNodes');
/** Sessions on each server of the database, for cutting others. */
let servers: pg.Client[];

beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.url, 5, 'relay-test');
  servers = (nodes.length === 0 ? [inject('postgresUrl')] : nodes).map((connectionString) => {
    return new pg.Client({ connectionString });
  });
  await Promise.all(servers.map((server) => server.connect()));
});
afterEach(() => database.reset());
afterAll(async () => {
  await Promise.all(servers.map((server) => server.end()));
  await pool?.end();
  await database?.drop();
});

/** The payouts of the jobs in the queue, each as often as it is there. */
async function queued(): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>(
    `SELECT payload ->> 'payoutId' AS id FROM graphile_worker._private_jobs ORDER BY 1`,
  );
  return rows.map(({ id }) => id);
}

async function count(table: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table}`,
  );
  return rows[0]?.n ?? -1;
}

/** Ends the sessions that the database has on one server, and waits until they are gone. */
async function cut(server: pg.Client): Promise<void> {
  const ended = await server.query<{ pid: number }>(
    `SELECT pid, pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = $1 AND backend_type = 'client backend'`,
    [new URL(database.url).pathname.slice(1)],
  );
  const pids = ended.rows.map(({ pid }) => pid);
  await eventually(async () => {
    const left = await server.query('SELECT FROM pg_stat_activity WHERE pid = ANY ($1)', [pids]);
    return left.rowCount === 0;
  });
}

/** Tries until it is done: a pool notices only by the way that a session was cut. */
const surely = (action: () => Promise<unknown>): Promise<true> =>
  eventually(() =>
    action().then(
      () => true as const,
      () => false as const,
    ),
  );

const rounds = 40;

it('each job is added once, whenever a session of two relays is cut', async () => {
  const added: string[] = [];
  const tenants = Array.from({ length: 8 }, () => newId('tenant'));
  for (let round = 0; round < rounds; round += 1) {
    const jobs = tenants.flatMap((tenantId) =>
      [newId('payout'), newId('payout')].map((payoutId) => ({ tenantId, payoutId })),
    );
    await surely(() =>
      inTransaction(pool, (client) => enqueueMany(client, 'disburse_payout', jobs)),
    );
    added.push(...jobs.map(({ payoutId }) => payoutId));
    const relays = Promise.allSettled([relayBatch(pool, null), relayBatch(pool, null)]);
    await new Promise((resolve) => setTimeout(resolve, round / 2));
    const server = servers[round % servers.length];
    if (server !== undefined) await cut(server);
    await relays;
  }
  await eventually(async () => {
    await surely(() => relayBatch(pool, null));
    return (await count('job_outbox')) === 0;
  });
  expect(await queued()).toEqual(added.toSorted());
  expect(await count('relayed_job')).toBe(0);
});

describe.runIf(nodes.length > 0)('on Citus, a relay that died after it added a job', () => {
  const tenant = newId('tenant');

  async function addAndDie(): Promise<void> {
    await inTransaction(pool, (client) =>
      enqueue(client, 'disburse_payout', { tenantId: tenant, payoutId: 'pay_1' }),
    );
    const { rows } = await pool.query(
      'SELECT moved, kept FROM ops.relay_batch(NULL, 20, 200, 20, true)',
    );
    expect(rows).toEqual([{ moved: 1, kept: true }]);
  }

  async function goesOn(jobs: string[]): Promise<void> {
    expect(await relayBatch(pool, null)).toEqual({ moved: 0, lastTenant: null });
    expect(await queued()).toEqual(jobs);
    expect(await count('job_outbox')).toBe(0);
    expect(await count('relayed_job')).toBe(0);
  }

  it('has not taken it from the outbox', async () => {
    await addAndDie();
    expect(await count('job_outbox')).toBe(1);
    await goesOn(['pay_1']);
  });

  it('has not taken it from the outbox when it has already run', async () => {
    await addAndDie();
    await pool.query('DELETE FROM graphile_worker._private_jobs');
    await goesOn([]);
  });

  it('has taken it from the outbox on the node, and not forgotten it on the coordinator', async () => {
    await addAndDie();
    await database.pool.query('DELETE FROM job_outbox');
    await goesOn(['pay_1']);
  });

  it('leaves a later job with its key where it is', async () => {
    await addAndDie();
    await inTransaction(pool, (client) =>
      enqueue(client, 'disburse_payout', { tenantId: tenant, payoutId: 'pay_2' }),
    );
    expect(await relayBatch(pool, null)).toEqual({ moved: 1, lastTenant: null });
    await goesOn(['pay_1', 'pay_2']);
  });
});
