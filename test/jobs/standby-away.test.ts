import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../dev/postgres/embedded.ts';
import { startHistory } from '../../jobs/history.ts';
import { sendTogether } from '../../jobs/queue-statements.ts';
import { relayBatch } from '../../jobs/relay-batch.ts';
import { readCluster } from '../../src/db/embedded-url.ts';
import { migrate } from '../../src/db/migrate.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { migrationsDir } from '../../src/db/ready.ts';
import { recordAttemptMade } from '../../src/domain/webhook/delivery/delivery-store.ts';
import type { Scope } from '../../src/access/scope.ts';
import { loadConfig } from '../../src/process/config.ts';
import { closeServices, createServices, type Services } from '../../src/process/services.ts';
import { enqueue } from '../../src/queue/queue.ts';
import { newId } from '../../src/values/ids.ts';
import { eventually } from '../support/factory.ts';

/* A PostgreSQL whose commits wait for a standby that is not there: what a crash may undo goes on, all else waits. */
const folder = mkdtempSync(join(tmpdir(), 'standby-'));
const tenantId = newId('tenant');
const scope = { tenantId } as Scope;
let postgres: EmbeddedPostgres;
let owner: pg.Client;
let services: Services;

beforeAll(async () => {
  chmodSync(folder, 0o755);
  postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    settings: { fsync: 'off', max_connections: '50' },
    log: () => {},
  });
  await migrate(postgres.url, migrationsDir, { serviceUrl: postgres.serviceUrl });
  owner = new pg.Client({ connectionString: postgres.url });
  await owner.connect();
  const config = loadConfig({ DATABASE_URL: postgres.serviceUrl, LOG_LEVEL: 'silent' });
  services = createServices(config, 'worker');
});

afterAll(async () => {
  await awaitStandby('').catch(() => undefined);
  await closeServices(services);
  await owner?.end();
  const shelter = readCluster(join(folder, 'postgres'))?.shelter ?? null;
  await postgres?.stop();
  for (const place of [folder, ...(shelter === null ? [] : [shelter])]) {
    rmSync(place, { recursive: true, force: true });
  }
});

/** Has commits wait for a standby of this name from now on; for none where it is empty. */
async function awaitStandby(name: string): Promise<void> {
  await owner.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
  await owner.query('SELECT pg_reload_conf()');
  await eventually(async () => {
    const { rows } = await owner.query<{ names: string }>(
      `SELECT current_setting('synchronous_standby_names') AS names`,
    );
    return rows[0]?.names === name;
  });
  if (name !== '') await untilCommitsWait();
}

/** It is the checkpointer that has commits wait, and it may read the setting later than sessions do. */
async function untilCommitsWait(): Promise<void> {
  const probe = new pg.Client({ connectionString: postgres.url });
  await probe.connect();
  const asked = await probe.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  const pid = asked.rows[0]?.pid;
  await eventually(async () => {
    let over = false;
    const commit = probe.query(`SELECT pg_logical_emit_message(true, 'probe', '')`).finally(() => {
      over = true;
    });
    await eventually(async () => {
      const { rows } = await owner.query(
        `SELECT FROM pg_stat_activity WHERE pid = $1 AND wait_event = 'SyncRep'`,
        [pid],
      );
      return over || rows.length === 1;
    });
    if (over) return false;
    await owner.query('SELECT pg_cancel_backend($1)', [pid]);
    await commit;
    return true;
  });
  await probe.end();
}

const addJob = (payoutId: string): Promise<void> =>
  inTransaction(services.pool, (client) =>
    enqueue(client, 'disburse_payout', { tenantId, payoutId }, { jobKey: payoutId }),
  );

async function addDelivery(): Promise<string> {
  const id = newId('webhookDelivery');
  await owner.query(`SET session_replication_role = 'replica'`);
  await owner.query(
    `INSERT INTO webhook_delivery (tenant_id, id, event_id, event_type, subscription_id, next_attempt_at)
     VALUES ($1, $2, 'evt_1', 'payout.settled', 'whs_1', now())`,
    [tenantId, id],
  );
  await owner.query('RESET session_replication_role');
  return id;
}

/** Sends a statement as a slot of a worker does. */
async function ask(name: string, values: readonly unknown[]): Promise<Record<string, unknown>[]> {
  const sent = sendTogether(services.directPool, { name, text: '', values });
  return (await sent)?.rows ?? [];
}

async function take(): Promise<Record<string, unknown>> {
  const { rows: tasks } = await owner.query<{ id: number }>(
    `SELECT id FROM graphile_worker._private_tasks WHERE identifier = 'disburse_payout'`,
  );
  const [job] = await ask('get_job/graphile_worker', ['run_1', tasks.map(({ id }) => id)]);
  if (job === undefined) throw new Error('no job is due');
  return job;
}

it('jobs are moved, ended and noted, and deliveries recorded, without waiting for it', async () => {
  await addJob('pay_1');
  await relayBatch(services.pool, null);
  const job = await take();
  await addJob('pay_2');
  const deliveryId = await addDelivery();
  await awaitStandby('nobody');

  expect(await relayBatch(services.pool, null)).toMatchObject({ moved: 1 });
  await ask('complete_job/graphile_worker', [job['id']]);
  const history = startHistory(services);
  const at = new Date();
  history.record({
    workerId: 'wrk_1',
    jobId: '1',
    task: 'disburse_payout',
    tenantId,
    subjectId: 'pay_1',
    attempt: 1,
    maxAttempts: 20,
    error: null,
    runAt: at,
    startedAt: at,
    endedAt: at,
  });
  await history.stop();
  const recorded = await recordAttemptMade(services.pool, scope, deliveryId, {
    delivered: true,
    waitsMs: [],
    startedAt: at,
    latencyMs: 1,
    statusCode: 200,
    answer: '',
    error: null,
  });
  expect(recorded).toMatchObject({ status: 'delivered', attempts: 1 });

  const { rows } = await owner.query(
    `SELECT (SELECT array_agg(key) FROM graphile_worker.jobs) AS jobs,
       (SELECT count(*)::int FROM job_run) AS runs`,
  );
  expect(rows).toEqual([{ jobs: ['pay_2'], runs: 1 }]);
});

const cancelAll = async (): Promise<void> => {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(
    `SELECT FROM ops.cancel_jobs('disburse_payout', dry_run => false, reason => 'test')`,
  );
  await client.end();
};

it.each([
  ['what a command changed', () => addJob('pay_3')],
  ['that a job was taken', take],
  ['that an operator canceled jobs, which moves those of the outbox first', cancelAll],
])('%s waits until a standby has it', async (_what, work) => {
  await awaitStandby('');
  await addJob('pay_4');
  await relayBatch(services.pool, null);
  await addJob('pay_5');
  await awaitStandby('nobody');
  let done = false;
  const working = work().then(() => {
    done = true;
  });
  await eventually(async () => {
    const { rows } = await owner.query(`SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`);
    return rows.length === 1;
  });
  expect(done).toBe(false);
  await awaitStandby('');
  await working;
});
