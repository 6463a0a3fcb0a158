import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sizes } from './config.ts';
import { seed, type BenchSeed } from './seed.ts';
import { startBenchStack, type BenchStack } from './stack.ts';

/** Heavy requests of one key, and from how many connections. */
const attacks = sizes(
  { bulks: 40, invites: 60, graphql: 40, refused: 40, lists: 40 },
  { bulks: 2, invites: 2, graphql: 2, refused: 2, lists: 2 },
);

/**
 * `rows` of a heavy request; `leadMs` until the attack is in full swing; `everyMs` between the reads of
 * a quiet integrator.
 */
const { rounds, measuredMs, leadMs, everyMs, rows } = sizes(
  { rounds: 2, measuredMs: 6_000, leadMs: 1_500, everyMs: 40, rows: 1_000 },
  { rounds: 1, measuredMs: 100, leadMs: 50, everyMs: 10, rows: 5 },
);

interface Measured {
  readonly p95: number;
  readonly failed: number;
  readonly asked: number;
}

/** One read after another, some milliseconds apart, as a tenant that does no harm. */
async function measure(stack: BenchStack, { key }: BenchSeed): Promise<Measured> {
  const took: number[] = [];
  let failed = 0;
  const end = performance.now() + measuredMs;
  while (performance.now() < end) {
    const started = performance.now();
    const answer = await fetch(`${stack.baseUrl}/v1/payouts?limit=5`, {
      headers: { authorization: `Bearer ${key}` },
    });
    await answer.arrayBuffer();
    took.push(performance.now() - started);
    if (!answer.ok) failed += 1;
    await sleep(everyMs);
  }
  const sorted = took.toSorted((a, b) => a - b);
  const p95 = sorted[Math.floor(sorted.length * 0.95)] ?? Number.NaN;
  return { p95, failed, asked: took.length };
}

/** Payouts for the lists to show. */
async function fill(stack: BenchStack, { key, body }: BenchSeed): Promise<void> {
  const payouts = Array.from({ length: rows }, () => ({ ...body, idempotency_key: randomUUID() }));
  const answer = await fetch(`${stack.baseUrl}/v1/payouts/bulk`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ payouts }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

/**
 * How much longer a tenant waits while another one attacks: the 95th percentile of its reads with and
 * without, in turn, for each attack. The rate limit is lifted, so what holds is the share alone.
 */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const [quiet, greedy] = [await seed(stack), await seed(stack)];
    for (const tenant of [quiet, greedy]) await fill(stack, tenant);
    await measure(stack, quiet); // warm-up
    for (const [attack, connections] of Object.entries(attacks)) {
      // Round 0 warms up: the code of an attack is compiled while it runs first.
      for (let round = 0; round <= rounds; round += 1) {
        const alone = await measure(stack, quiet);
        const attacking = stack.program('attack.ts', {
          ATTACK: attack,
          CONNECTIONS: String(connections),
          ROWS: String(rows),
          KEY: greedy.key,
          BODY: JSON.stringify(greedy.body),
          MILLISECONDS: String(leadMs + measuredMs),
        });
        await sleep(leadMs);
        const beside = await measure(stack, quiet);
        const { answered = 0, refused = 0, failed = 0 } = await attacking;
        if (round === 0) continue;
        const ratio = beside.p95 / alone.p95;
        console.log(
          `neighbours, ${attack}: p95 ${beside.p95.toFixed(0)} ms beside, floor ${alone.p95.toFixed(0)} ms alone, ratio ${ratio.toFixed(1)} (${beside.failed} of ${beside.asked} failed; attacker: ${answered} answered, ${refused} refused, ${failed} failed)`,
        );
      }
    }
  } finally {
    await stack.close();
  }
}
