import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { Pool, PoolClient } from 'pg';
import { relayBatch } from '../../jobs/relay-batch.ts';
import { startRelay } from '../../jobs/relay.ts';
import { createPool, inTransaction } from '../../src/db/pool.ts';
import { loadConfig } from '../../src/process/config.ts';
import { closeServices, createServices, type Services } from '../../src/process/services.ts';
import {
  enqueue,
  enqueueMany,
  enqueueMissing,
  findLiveJobKeys,
  type JobOptions,
} from '../../src/queue/queue.ts';
import { newId } from '../../src/values/ids.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/factory.ts';

let database: TestDatabase;
/** As the service's; the database's own would relay before the test looks. */
let pool: Pool;
let services: Services;

beforeAll(async () => {
  database = await testDatabase();
  services = createServices(loadConfig({ DATABASE_URL: database.url, LOG_LEVEL: 'silent' }), 'api');
  pool = createPool(database.url, 5, 'relay-test');
});
afterEach(() => database.reset());
afterAll(async () => {
  await pool?.end();
  await closeServices(services);
  await database?.drop();
});

interface Shown {
  readonly task: string;
  readonly payload: { readonly payoutId: string; readonly tenantId: string };
  readonly key: string | null;
  readonly priority: number;
  readonly max_attempts: number;
  readonly attempts: number;
  readonly run_at: Date;
  readonly due: boolean;
}

async function jobs(): Promise<Shown[]> {
  const { rows } = await pool.query<Shown>(
    `SELECT j.task_identifier AS task, p.payload, j.key, j.priority, j.max_attempts, j.attempts, j.run_at,
       j.run_at <= now() AS due
     FROM graphile_worker.jobs j JOIN graphile_worker._private_jobs p USING (id) ORDER BY j.id`,
  );
  return rows;
}

async function inOutbox(): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM job_outbox',
  );
  return rows[0]?.n ?? -1;
}

/** A payout's job, added as a command does. */
async function add(payoutId: string, options: JobOptions = {}, tenantId = tenant): Promise<void> {
  await inTransaction(pool, (client) =>
    enqueue(client, 'disburse_payout', { tenantId, payoutId }, options),
  );
}

const tenant = newId('tenant');
const payoutIds = (shown: readonly Shown[]): string[] =>
  shown.map(({ payload }) => payload.payoutId);

it('a job waits in the outbox after its commit, and is gone after a rollback', async () => {
  await expect(
    inTransaction(pool, async (client) => {
      await enqueue(client, 'disburse_payout', { tenantId: tenant, payoutId: 'pay_1' });
      throw new Error('refused');
    }),
  ).rejects.toThrow('refused');
  expect(await inOutbox()).toBe(0);
  await add('pay_2');
  expect(await inOutbox()).toBe(1);
  expect(await jobs()).toEqual([]);
});

it('a job of no tenant is graphile-worker’s at once', async () => {
  await inTransaction(pool, (client) => enqueue(client, 'delete_expired', {}));
  expect(await inOutbox()).toBe(0);
  expect(await jobs()).toMatchObject([{ task: 'delete_expired', max_attempts: 20 }]);
});

it('a job that waits is due by the database’s clock, whatever the clock of whoever adds it', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 3_600_000 });
  try {
    await add('pay_1', { waitMs: 60_000 });
    await inTransaction(pool, async (client) => {
      const payloads = ['pay_2', 'pay_3'].map((payoutId) => ({ tenantId: tenant, payoutId }));
      await enqueueMany(client, 'disburse_payout', payloads, [{ waitMs: 60_000 }, {}]);
      await enqueue(client, 'delete_expired', {}, { waitMs: 60_000 });
      await enqueueMany(client, 'carry_over_ledger', [{}], [{ waitMs: 60_000 }]);
    });
  } finally {
    vi.useRealTimers();
  }
  await relayBatch(pool, null);
  const { rows } = await pool.query<{ what: string; soon: boolean }>(
    `SELECT coalesce(p.payload ->> 'payoutId', j.task_identifier) AS what,
       j.run_at - now() BETWEEN '30 seconds' AND '60 seconds' AS soon
     FROM graphile_worker.jobs j JOIN graphile_worker._private_jobs p USING (id) ORDER BY what`,
  );
  expect(rows).toEqual([
    { what: 'carry_over_ledger', soon: true },
    { what: 'delete_expired', soon: true },
    { what: 'pay_1', soon: true },
    { what: 'pay_2', soon: true },
    { what: 'pay_3', soon: false },
  ]);
});

it('moves each job as it was asked for, in order', async () => {
  const runAt = new Date(Date.now() + 3_600_000);
  await add('pay_1');
  await add('pay_2', { runAt, jobKey: 'disburse pay_2' });
  await add('pay_3', { priority: 7 });
  expect(await relayBatch(pool, null)).toEqual({ moved: 3, lastTenant: null });
  const usual = { task: 'disburse_payout', max_attempts: 20, attempts: 0 };
  expect(await jobs()).toMatchObject([
    {
      ...usual,
      payload: { tenantId: tenant, payoutId: 'pay_1' },
      key: null,
      priority: 0,
      due: true,
    },
    { ...usual, key: 'disburse pay_2', run_at: runAt, due: false },
    { ...usual, payload: { payoutId: 'pay_3' }, priority: 7, due: true },
  ]);
  expect(await inOutbox()).toBe(0);
  expect(await relayBatch(pool, null)).toEqual({ moved: 0, lastTenant: null });
});

it('a job replaces one with its key: in the outbox, one that waits, and none that runs', async () => {
  const runAt = new Date(Date.now() + 3_600_000);
  await add('pay_1', { jobKey: 'key' });
  await add('pay_2', { jobKey: 'key', runAt });
  await relayBatch(pool, null);
  expect(await jobs()).toMatchObject([{ payload: { payoutId: 'pay_2' }, due: false }]);
  await add('pay_3', { jobKey: 'key' });
  await relayBatch(pool, null);
  expect(await jobs()).toMatchObject([{ payload: { payoutId: 'pay_3' }, due: true }]);
  await database.pool.query(
    `UPDATE graphile_worker._private_jobs SET locked_at = now(), locked_by = 'pool', attempts = 1`,
  );
  await add('pay_4', { jobKey: 'key' });
  await relayBatch(pool, null);
  expect(await jobs()).toMatchObject([
    { payload: { payoutId: 'pay_3' }, key: null },
    { payload: { payoutId: 'pay_4' }, key: 'key', due: true },
  ]);
});

it('many jobs of one tenant keep another’s one waiting for no more than a share of them', async () => {
  const [first, second] = [newId('tenant'), newId('tenant')];
  const many = Array.from({ length: 5_000 }, (_, n) => ({ tenantId: first, payoutId: `pay_${n}` }));
  await inTransaction(pool, (client) => enqueueMany(client, 'disburse_payout', many));
  await add('pay_other', {}, second);
  const { moved } = await relayBatch(pool, null);
  expect(moved).toBeLessThan(1_000);
  const places = payoutIds(await jobs());
  expect(places.indexOf('pay_other')).toBeLessThanOrEqual(1);
  expect(await inOutbox()).toBe(5_001 - moved);
});

it('goes on where a batch ended when there are very many tenants', async () => {
  const all = Array.from({ length: 60 }, () => ({
    tenantId: newId('tenant'),
    payoutId: newId('payout'),
  }));
  await inTransaction(pool, (client) => enqueueMany(client, 'disburse_payout', all));
  let after: string | null = null;
  let batches = 0;
  do {
    after = (await relayBatch(pool, after)).lastTenant;
    batches += 1;
  } while (after !== null);
  expect(batches).toBeGreaterThan(1);
  expect(payoutIds(await jobs()).toSorted()).toEqual(
    all.map(({ payoutId }) => payoutId).toSorted(),
  );
});

/** A relay that has moved the jobs and not committed. */
async function heldRelay(): Promise<PoolClient> {
  const client = await pool.connect();
  await client.query(`BEGIN; SELECT ops.relay_batch(NULL, 20, 200, 20, true)`);
  return client;
}

it('of two relays at once each job is moved by one, and what a dead one had taken by the next', async () => {
  await add('pay_1', { jobKey: 'disburse pay_1' });
  const dying = await heldRelay();
  const other = newId('tenant');
  await add('pay_2', {}, other);
  // Jobs of the first tenant stay behind those that are being moved, or a job could replace a later one.
  await add('pay_1', { jobKey: 'disburse pay_1', priority: 5 });
  expect((await relayBatch(pool, null)).moved).toBe(1);
  expect(payoutIds(await jobs())).toEqual(['pay_2']);
  dying.release(new Error('killed'));
  await eventually(async () => (await relayBatch(pool, null)).moved === 2);
  expect(await jobs()).toMatchObject([
    { payload: { payoutId: 'pay_2' } },
    { payload: { payoutId: 'pay_1' }, priority: 5 },
  ]);
  expect(await inOutbox()).toBe(0);
});

it('a key that waits in the outbox is live, and its job is not added again', async () => {
  const payload = { tenantId: tenant, payoutId: 'pay_1' };
  await add('pay_1', { jobKey: 'disburse pay_1' });
  await add('pay_2', { jobKey: 'disburse pay_2', runAt: new Date(Date.now() + 3_600_000) });
  const keys = ['disburse pay_1', 'disburse pay_2', 'disburse pay_3'];
  expect(await findLiveJobKeys(pool, keys, [tenant])).toEqual(new Set(['disburse pay_1']));
  expect(await findLiveJobKeys(pool, keys, [newId('tenant')])).toEqual(new Set());
  expect(await enqueueMissing(pool, 'disburse_payout', [{ payload }])).toBe(0);
  expect(await inOutbox()).toBe(2);
});

it('a commit is announced, and a rollback is not', async () => {
  const ears = await database.pool.connect();
  const heard: number[] = [];
  ears.on('notification', ({ processId }) => heard.push(processId));
  await ears.query('LISTEN job_outbox');
  // What the tests before announced over the other pool may still arrive.
  const announced = async (): Promise<boolean> => {
    const { rows } = await services.pool.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity
       WHERE application_name = 'payouts-api' AND datname = current_database()`,
    );
    return rows.some(({ pid }) => heard.includes(pid));
  };
  try {
    await inTransaction(services.pool, async (client) => {
      await enqueue(client, 'disburse_payout', { tenantId: tenant, payoutId: 'pay_1' });
      throw new Error('refused');
    }).catch(() => undefined);
    // What a rollback announced would arrive before the answers to these two.
    await services.pool.query('SELECT 1');
    await ears.query('SELECT 1');
    expect(await announced()).toBe(false);
    await inTransaction(services.pool, (client) =>
      enqueue(client, 'disburse_payout', { tenantId: tenant, payoutId: 'pay_2' }),
    );
    await eventually(announced);
  } finally {
    ears.release(true);
  }
});

it('a running relay moves what is announced and what is not, and goes on after a lost connection', async () => {
  const relay = startRelay(services);
  try {
    await add('pay_1');
    await eventually(async () => (await jobs()).length === 1);
    await database.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE application_name = 'payouts-api' AND datname = current_database()`,
    );
    await database.pool.query(
      `INSERT INTO job_outbox (tenant_id, task, payload) VALUES ($1, 'disburse_payout', '{"payoutId": "pay_2"}')`,
      [tenant],
    );
    await eventually(async () => (await jobs()).length === 2);
    expect(await inOutbox()).toBe(0);
  } finally {
    await relay.stop();
  }
});

it.each([
  ['a key that is too long', { jobKey: 'k'.repeat(513) }],
  ['an empty key', { jobKey: '' }],
])('refuses %s in the command, where it holds up no other job', async (_name, options) => {
  await expect(add('pay_1', options)).rejects.toThrow('job_outbox_job_key_check');
  expect(await inOutbox()).toBe(0);
});
