import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { recordedTypes } from '../../src/domain/event/types.ts';
import { childEnvironment, sizes } from './config.ts';
import { cpuOf, cpuOfPostgres } from './cpu.ts';
import { addAccount, makeClient, type BenchClient } from './seed.ts';
import { last, median, startBenchStack, type BenchStack } from './stack.ts';

const { rounds, payouts, accounts, warmUp } = sizes(
  { rounds: 3, payouts: 3_000, accounts: 30, warmUp: 200 },
  { rounds: 1, payouts: 6, accounts: 2, warmUp: 2 },
);
/** Jobs at a time: with many, more of them share their statements. */
const concurrency = 64;
const perRequest = 500;

/** How long the longest run may take, in looks of half a second each. */
const looks = 1_200;

interface Way {
  /** Payouts a second, from the start of the worker's first step to the last one's end. */
  readonly rate: number;
  /** CPU time of each process for one payout, in milliseconds. */
  readonly cpu: Readonly<Record<string, number>>;
}

async function createApproved(
  stack: BenchStack,
  client: BenchClient,
  count: number,
): Promise<void> {
  const destinations: object[] = [];
  for (let n = 0; n < accounts; n += 1) destinations.push(await addAccount(client));
  const bodies = Array.from({ length: count }, (_, n) => ({
    ...destinations[n % accounts],
    idempotency_key: randomUUID(),
    validator_strategy: 'auto',
  }));
  for (let at = 0; at < count; at += perRequest) {
    const part = bodies.slice(at, at + perRequest);
    await client.call('/v1/payouts/bulk', { payouts: part });
  }
  await cleanUp(stack);
}

/**
 * What autovacuum does within a minute, which is longer than a run: each part begins with tables that are counted,
 * and without the dead rows of the part before.
 */
async function cleanUp({ pool }: BenchStack): Promise<void> {
  await pool.query('VACUUM (ANALYZE)');
}

/** Whether something is open; it stops at the first row, since a count would be a part of what is measured. */
const isOpen = `
  SELECT EXISTS (SELECT 1 FROM payout WHERE tenant_id = $1 AND state <> 'settled')
    OR EXISTS (SELECT 1 FROM webhook_delivery WHERE tenant_id = $1 AND status <> 'delivered') AS open`;

/** The seconds from the first step to the last; deliveries count where there are any. */
const duration = `
  SELECT extract(epoch FROM greatest(
      (SELECT max(settled_at) FROM payout WHERE tenant_id = $1),
      (SELECT max(completed_at) FROM webhook_delivery WHERE tenant_id = $1))
    - (SELECT min(requested_at) FROM enrollment WHERE tenant_id = $1))::float8 AS seconds`;

async function untilDone({ pool }: BenchStack, tenantId: string): Promise<number> {
  for (let look = 0; look < looks; look += 1) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    const { rows } = await pool.query<{ open: boolean }>(isOpen, [tenantId]);
    if (rows[0]?.open !== false) continue;
    const { rows: ends } = await pool.query<{ seconds: number }>(duration, [tenantId]);
    return ends[0]?.seconds ?? Number.NaN;
  }
  throw new Error('not every payout was settled, or not every event delivered');
}

/**
 * Some payouts of another tenant, so that the tables are not empty when PostgreSQL counts their rows: for an
 * empty table it plans to read it whole, and keeps to that until it counts again.
 */
async function warm(stack: BenchStack): Promise<void> {
  const client = await makeClient(stack);
  await createApproved(stack, client, warmUp);
  const stopWorker = stack.startWorker();
  await untilDone(stack, client.tenantId);
  await stopWorker();
}

async function measure(stack: BenchStack, url: string | null): Promise<Way> {
  const client = await makeClient(stack);
  if (url !== null) {
    await client.call('/v1/webhook-subscriptions', { url, enabled_events: recordedTypes });
  }
  await createApproved(stack, client, payouts);
  const cpuNow = async (): Promise<Record<string, number>> => ({
    api: cpuOf(stack.pidOf('api')),
    simulator: cpuOf(stack.pidOf('simulator')),
    postgres: await cpuOfPostgres(stack.pool),
  });
  const before = await cpuNow();
  const stopWorker = stack.startWorker();
  const seconds = await untilDone(stack, client.tenantId);
  const after: Record<string, number> = {
    ...(await cpuNow()),
    worker: cpuOf(stack.pidOf('worker')),
  };
  await stopWorker();
  const cpu = Object.entries(after).map(([name, ms]) => [
    name,
    (ms - (before[name] ?? 0)) / payouts,
  ]);
  return { rate: payouts / seconds, cpu: Object.fromEntries(cpu) as Record<string, number> };
}

const shown = (cpu: Way['cpu']): string =>
  Object.entries(cpu)
    .map(([name, ms]) => `${name} ${ms.toFixed(1)}`)
    .join(', ');

/**
 * Payouts from approved to settled, and to the last delivery where somebody subscribes to all events, against
 * the rate at which graphile-worker runs jobs that do nothing: interleaved, medians of three.
 */
export async function run(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const caFile = join(folder, 'ca.pem');
  const receiver = spawn(process.execPath, [join(import.meta.dirname, 'programs', 'receiver.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: childEnvironment({ CA_FILE: caFile }),
  });
  const [printed] = (await once(receiver.stdout, 'data')) as [Buffer];
  const url = `https://localhost:${printed.toString().trim()}/fast`;
  const stack = await startBenchStack({
    worker: 'later',
    env: {
      SIMULATOR_STEP_DELAY_MS: '0',
      WORKER_CONCURRENCY: String(concurrency),
      WEBHOOK_ALLOWED_HOSTS: 'localhost',
      WEBHOOK_EXTRA_CA_FILE: caFile,
    },
  }).catch((error: unknown) => {
    receiver.kill('SIGTERM');
    throw error;
  });
  try {
    await warm(stack);
    const rates: Record<'floor' | 'alone' | 'told', number[]> = { floor: [], alone: [], told: [] };
    for (let round = 1; round <= rounds; round += 1) {
      await cleanUp(stack);
      const env = { JOBS: String(payouts), CONCURRENCY: String(concurrency) };
      rates.floor.push((await stack.program('empty-jobs.ts', env))['rate'] ?? Number.NaN);
      const alone = await measure(stack, null);
      rates.alone.push(alone.rate);
      const told = await measure(stack, url);
      rates.told.push(told.rate);
      console.log(
        `round ${round}: empty jobs ${last(rates.floor)}/s; settled ${last(rates.alone)}/s (CPU ms a payout: ${shown(alone.cpu)}); ` +
          `settled and told ${last(rates.told)}/s (${shown(told.cpu)})`,
      );
    }
    const floor = median(rates.floor);
    const [alone, told] = [median(rates.alone), median(rates.told)];
    console.log(
      `pipeline: ${alone.toFixed(0)}/s settled, ratio ${(alone / floor).toFixed(3)}; ` +
        `${told.toFixed(0)}/s with a subscriber to all events, ratio ${(told / floor).toFixed(3)}; ` +
        `floor ${floor.toFixed(0)}/s (${payouts} payouts to ${accounts} accounts)`,
    );
  } finally {
    await stack.close();
    receiver.kill('SIGTERM');
    await once(receiver, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}
