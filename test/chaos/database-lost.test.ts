import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../dev/postgres/embedded.ts';
import { readCluster } from '../../src/db/embedded-url.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrationsDir } from '../../src/db/ready.ts';
import { addPayee, pay, type Payee, registerBusiness } from './support/business.ts';
import type { Caller } from './support/client.ts';
import { converge } from './support/converge.ts';
import { startWorld, type World } from './support/world.ts';
import { eventually } from '../support/factory.ts';
import { longTestMs, patience } from '../support/patience.ts';

/*
 * A worker that loses PostgreSQL in the middle of its jobs. No other worker could take them over, and nobody
 * misses a heartbeat within the time of a test: what comes back, the worker has given back itself.
 */
const environment = { PROVIDER_TIMEOUT_MS: '20000', WORKER_HEARTBEAT_MS: '3600000' };
const folder = mkdtempSync(join(tmpdir(), 'lost-'));
let postgres: EmbeddedPostgres;
let world: World;
let call: Caller;
let payee: Payee;

const startPostgres = (): Promise<EmbeddedPostgres> =>
  startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    settings: { fsync: 'off', max_connections: '100' },
    log: () => {},
  });

beforeAll(async () => {
  chmodSync(folder, 0o755);
  postgres = await startPostgres();
  await migrate(postgres.url, migrationsDir, { serviceUrl: postgres.serviceUrl });
  world = await startWorld({
    databaseUrl: postgres.serviceUrl,
    ownerUrl: postgres.url,
    environment,
  });
  call = await registerBusiness(world.address);
  payee = await addPayee(call);
  // The destination is enrolled with the first payout; the later ones are one call each.
  await pay(call, payee, { auto: true });
  await converge(world);
});

afterAll(async () => {
  await world?.close();
  const shelter = readCluster(join(folder, 'postgres'))?.shelter ?? null;
  await postgres?.stop();
  for (const place of [folder, ...(shelter === null ? [] : [shelter])]) {
    rmSync(place, { recursive: true, force: true });
  }
});

async function query(text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: postgres.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const lockedJobs = async (): Promise<number> => {
  const [row] = await query(
    'SELECT count(*)::integer AS n FROM graphile_worker._private_jobs WHERE locked_at IS NOT NULL',
  );
  return Number(row?.['n']);
};

const workerIds = async (): Promise<unknown[]> =>
  (await query('SELECT id FROM worker_heartbeat')).map(({ id }) => id);

/** Orders payouts, and waits until some are at the provider. */
async function underWay(count: number): Promise<void> {
  await world.setFaults({ slow_ms: 1_000 });
  await Promise.all(Array.from({ length: count }, () => pay(call, payee, { auto: true })));
  await eventually(async () => (await lockedJobs()) >= 4);
}

/** Everything is settled, once each, by a worker that still lives. */
async function goesOn(deaths: number): Promise<void> {
  await world.setFaults({});
  await converge(world);
  // One was ordered after all that happened.
  await pay(call, payee, { auto: true });
  await converge(world);
  expect(world.worker.deaths()).toBe(deaths);
  expect(world.api.deaths()).toBe(0);
  // Runs that ended have said goodbye, and hold nothing.
  await eventually(async () => (await workerIds()).length === 1);
  await eventually(async () => (await lockedJobs()) === 0);
}

test(
  'goes on after its connections were cut, again and again',
  { timeout: longTestMs },
  async () => {
    await underWay(60);
    for (let round = 0; round < 12; round += 1) {
      await query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'payouts-worker'`,
      );
      await new Promise((resolve) => setTimeout(resolve, 120));
    }
    await goesOn(0);
  },
);

test('goes on after PostgreSQL was restarted', { timeout: longTestMs }, async () => {
  await underWay(30);
  await postgres.stop();
  // Longer than the pauses in which graphile-worker itself would try again.
  await eventually(async () => {
    const ready = await fetch(`${world.address()}/readyz`, { signal: patience() });
    return ready.status === 503;
  });
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  postgres = await startPostgres();
  await goesOn(0);
});

/** The server's process and all of its children. */
async function serverProcesses(): Promise<number[]> {
  const pids = (await query('SELECT pid FROM pg_stat_activity')).map(({ pid }) => Number(pid));
  const [own] = await query('SELECT pg_backend_pid() AS pid, pg_sleep(0)');
  const backend = pids.find((pid) => pid !== Number(own?.['pid'])) ?? 0;
  const stat = readFileSync(`/proc/${backend}/stat`, 'utf8');
  const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return [parent, ...pids];
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}

test('goes on after PostgreSQL was frozen, and thawed', { timeout: longTestMs }, async () => {
  await underWay(30);
  const pids = await serverProcesses();
  signal(pids, 'SIGSTOP');
  try {
    await eventually(async () => {
      const ready = await fetch(`${world.address()}/readyz`, { signal: patience() });
      return ready.status === 503;
    });
    await new Promise((resolve) => setTimeout(resolve, 3_000));
  } finally {
    signal(pids, 'SIGCONT');
  }
  await goesOn(0);
});

test('ends in good order while PostgreSQL is away', { timeout: longTestMs }, async () => {
  await underWay(10);
  await postgres.stop();
  const pid = world.worker.pid() ?? 0;
  process.kill(pid, 'SIGTERM');
  // Its supervisor starts it again, at once.
  await eventually(() => Promise.resolve(world.worker.deaths() === 1));
  expect(world.worker.lines()).toContain('worker died (code 0)');
  postgres = await startPostgres();
  // What the one that ended held is left to others, who miss its heartbeat: here, with their first beat.
  await query(`UPDATE worker_heartbeat SET beat_at = now() - interval '1 day' WHERE pid = ${pid}`);
  world.worker.kill();
  await goesOn(2);
});
