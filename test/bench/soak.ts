import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { makeTenant } from '../support/factory.ts';
import { seedLedger } from '../support/ledger.ts';
import { sizes } from './config.ts';
import { peakMemory, residentMemory, resetPeak } from './memory.ts';
import { addAccount, makeClient } from './seed.ts';
import { median, startBenchStack, type BenchStack } from './stack.ts';

const { seconds, looks, visitors, payouts, few } = sizes(
  { seconds: 600, looks: 20, visitors: 4, payouts: 1_000_000, few: 500 },
  { seconds: 2, looks: 4, visitors: 1, payouts: 1_000, few: 10 },
);

/** Between the requests of a visitor: the machine is not to be the limit. */
const breathMs = 10;

const graph = `{ payouts(first: 50) { edges { node { id state amountMinor beneficiary { id }
  transitions { toState } decisions(first: 5) { edges { node { status } } } permittedActions } } } }`;

interface Visit {
  readonly path: string;
  readonly key?: string;
  readonly body?: object;
}

async function visit({ baseUrl }: BenchStack, { path, key, body }: Visit): Promise<void> {
  const answer = await fetch(baseUrl + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  await answer.arrayBuffer();
  // 429 and 503 are answers too, of an API that has more to do than it can.
  if (answer.status === 500) throw new Error(`${path} answered ${answer.status}`);
}

/** One of each kind of request that an API gets, good and bad; the payouts go all the way. */
async function makeVisits(stack: BenchStack): Promise<readonly (() => Visit)[]> {
  const client = await makeClient(stack);
  const reader = await makeTenant({ database: stack });
  await seedLedger(stack.pool, reader.tenantId, { count: few });
  const { key } = client;
  const body = await addAccount(client);
  const payout = () => ({ ...body, idempotency_key: randomUUID(), validator_strategy: 'auto' });
  const bulk = () => ({ payouts: Array.from({ length: 20 }, payout) });
  return [
    () => ({ path: '/v1/payouts', key, body: payout() }),
    () => ({ path: '/v1/payouts', key, body: { ...payout(), amount_minor: 'much' } }),
    () => ({ path: '/v1/payouts/bulk', key, body: bulk() }),
    () => ({ path: '/v1/payouts?limit=100', key }),
    () => ({ path: '/graphql', key, body: { query: graph } }),
    () => ({ path: '/graphql', key, body: { query: '{ payouts { unknown } }' } }),
    () => ({ path: '/v1/reporting/transactions/export', key: reader.key }),
    () => ({ path: '/v1/beneficiaries', key }),
    () => ({ path: '/v1/payouts', key: 'not a key' }),
    () => ({ path: '/v1/openapi.json' }),
    () => ({ path: '/docs' }),
  ];
}

/** Resident memory at each look, in MiB. */
type Looks = Record<'api' | 'worker', number[]>;

async function serve(stack: BenchStack, pids: Record<keyof Looks, number>) {
  const visits = await makeVisits(stack);
  const end = performance.now() + seconds * 1_000;
  let served = 0;
  const visitor = async (): Promise<void> => {
    while (performance.now() < end) {
      const next = visits[served % visits.length];
      served += 1;
      if (next !== undefined) await visit(stack, next());
      await pause(breathMs);
    }
  };
  const seen: Looks = { api: [], worker: [] };
  const look = async (): Promise<void> => {
    for (let n = 1; n <= looks; n += 1) {
      await pause((seconds * 1_000) / looks);
      seen.api.push(residentMemory(pids.api));
      seen.worker.push(residentMemory(pids.worker));
      console.log(`after ${Math.round((n * seconds) / looks)} s: ${JSON.stringify(seen)}`);
    }
  };
  await Promise.all([look(), ...Array.from({ length: visitors }, visitor)]);
  return { served, seen };
}

/** A process takes memory for what it does first; what it takes in the second half, it would go on taking. */
function halves(seen: readonly number[]): string {
  const quarter = Math.floor(seen.length / 4);
  const [middle, late] = [seen.slice(quarter, 2 * quarter), seen.slice(-quarter)];
  return `${median(middle).toFixed(0)} MiB in the second quarter, ${median(late).toFixed(0)} MiB in the last`;
}

/** The answer of an export. It is asked for again while the API still has other things to do. */
async function askForExport({ baseUrl }: BenchStack, key: string): Promise<Response> {
  for (let tries = 0; tries < 60; tries += 1) {
    const answer = await fetch(`${baseUrl}/v1/reporting/transactions/export`, {
      headers: { authorization: `Bearer ${key}` },
    });
    if (answer.ok) return answer;
    const words = await answer.text();
    if (answer.status !== 429 && answer.status !== 503) {
      throw new Error(`the export was answered ${answer.status}: ${words}`);
    }
    await pause(1_000);
  }
  throw new Error('the API took no export');
}

async function streamAll(stack: BenchStack, api: number): Promise<number> {
  const { tenantId, key } = await makeTenant({ database: stack });
  await seedLedger(stack.pool, tenantId, { count: payouts });
  await stack.pool.query('ANALYZE payout');
  resetPeak(api);
  const answer = await askForExport(stack, key);
  for await (const _chunk of answer.body ?? []);
  return peakMemory(api);
}

/**
 * Whether a process that serves grows: the resident memory of the API and the worker while everything is asked
 * of them for ten minutes, and the most that the same API takes to stream a large export afterwards.
 */
export async function run(): Promise<void> {
  const stack = await startBenchStack({ worker: true });
  try {
    const pids = { api: stack.pidOf('api'), worker: stack.pidOf('worker') };
    const fresh = residentMemory(pids.api);
    const { served, seen } = await serve(stack, pids);
    console.log(
      `soak: ${served} requests in ${seconds} s; API ${fresh} MiB after its start, ${halves(seen.api)}, ` +
        `at most ${(await streamAll(stack, pids.api)).toFixed(0)} MiB while it streams ${payouts} payouts; ` +
        `worker ${halves(seen.worker)}`,
    );
  } finally {
    await stack.close();
  }
}
