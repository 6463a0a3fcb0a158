import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sizes } from './config.ts';
import { addAccount, makeClient } from './seed.ts';
import { startBenchStack, type BenchStack } from './stack.ts';

const { payouts, warmUp } = sizes({ payouts: 200, warmUp: 40 }, { payouts: 3, warmUp: 1 });

/** Arrivals a second, well below what the worker can do: so the figure has no queue in it. */
const perSecond = 20;

interface Latency {
  readonly p50: number;
  readonly p95: number;
}

/** From an approval's commit to the record that the provider took the payout, by the database's clock. */
const taken = `
  SELECT count(*)::int AS n,
    percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM a.submitted_at - p.approved_at) * 1000) AS p50,
    percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM a.submitted_at - p.approved_at) * 1000) AS p95
  FROM disbursement_attempt a
  JOIN payout p ON p.tenant_id = a.tenant_id AND p.id = a.payout_id
  WHERE a.submitted_at IS NOT NULL AND p.id = ANY ($1::text[])`;

async function untilTaken({ pool }: BenchStack, ids: readonly string[]): Promise<Latency> {
  for (let tries = 0; tries < 600; tries += 1) {
    const { rows } = await pool.query<Latency & { n: number }>(taken, [ids]);
    const [row] = rows;
    if (row?.n === ids.length) return row;
    await pause(100);
  }
  throw new Error('not every payout reached the provider');
}

const shown = ({ p50, p95 }: Latency): string =>
  `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms`;

/**
 * How long an approved payout waits for the provider to have it. Payouts arrive by a clock, at a rate below
 * the worker's; beside it as fast as one client gets its answers, which outruns the worker and measures the
 * queue. The account is enrolled before.
 */
export async function run(): Promise<void> {
  const stack = await startBenchStack({ worker: true });
  try {
    const client = await makeClient(stack);
    const body = await addAccount(client);
    const create = async (): Promise<string> => {
      const key = { idempotency_key: randomUUID(), validator_strategy: 'auto' };
      const { payout } = await client.call('/v1/payouts', { ...body, ...key });
      return payout?.id ?? '';
    };
    const burst = async (count: number): Promise<Latency> => {
      const ids: string[] = [];
      for (let n = 0; n < count; n += 1) ids.push(await create());
      return untilTaken(stack, ids);
    };
    const byClock = async (): Promise<Latency> => {
      const created: Promise<string>[] = [];
      const start = performance.now();
      for (let n = 0; n < payouts; n += 1) {
        await pause(Math.max(0, start + (n * 1_000) / perSecond - performance.now()));
        created.push(create());
      }
      return untilTaken(stack, await Promise.all(created));
    };
    await burst(warmUp);
    await stack.pool.query('ANALYZE'); // autovacuum does this within a minute
    const steady = await byClock();
    const queued = await burst(payouts);
    console.log(
      `latency: approval to provider ${shown(steady)} (${payouts} payouts at ${perSecond} a second); ` +
        `${shown(queued)} (${payouts} created as fast as one client gets its answers)`,
    );
  } finally {
    await stack.close();
  }
}
