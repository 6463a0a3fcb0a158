import { randomUUID } from 'node:crypto';
import { commands } from '../support/commands.ts';
import { sizes } from './config.ts';
import { seed } from './seed.ts';
import { last, median, startBenchStack } from './stack.ts';

const { rounds, payouts, connections } = sizes(
  { rounds: 5, payouts: 1_000, connections: 16 },
  { rounds: 1, payouts: 5, connections: 2 },
);

/** The function that posts to the ledger. */
const posts = commands.find(({ name }) => name === 'post_entries')?.definition ?? '';

/** The same without its body: what an approval costs beside the ledger. */
const postsNothing = posts.replace(/BEGIN\n[^]*\nEND\n/, 'BEGIN\nEND\n');

/**
 * `POST /v1/payouts/{id}/approve`, with its decision and its job, against the same statements sent
 * by a plain driver to the same server, with and without the ledger: interleaved, medians of five.
 */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const { key, tenantId, body } = await seed(stack);
    const create = async (): Promise<string[]> => {
      const rows = Array.from({ length: payouts }, () => ({
        ...body,
        idempotency_key: randomUUID(),
      }));
      const answer = await fetch(`${stack.baseUrl}/v1/payouts/bulk`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ payouts: rows }),
      });
      const { results } = (await answer.json()) as { results: { payout: { id: string } }[] };
      return results.map(({ payout }) => payout.id);
    };
    const measure = async (program: string): Promise<number> => {
      const env = {
        KEY: key,
        TENANT: tenantId,
        IDS: JSON.stringify(await create()),
        CONNECTIONS: String(connections),
      };
      return (await stack.program(program, env))['rate'] ?? Number.NaN;
    };
    const http: number[] = [];
    const floor: number[] = [];
    const unposted: number[] = [];
    await measure('approve-http.ts'); // warm-up
    for (let round = 1; round <= rounds; round += 1) {
      await stack.pool.query(postsNothing);
      unposted.push(await measure('approve-sql.ts'));
      await stack.pool.query(posts);
      floor.push(await measure('approve-sql.ts'));
      http.push(await measure('approve-http.ts'));
      console.log(
        `round ${round}: statements ${last(floor)}/s, without the ledger ${last(unposted)}/s, HTTP ${last(http)}/s`,
      );
    }
    const kept = median(floor.map((rate, round) => rate / (unposted[round] ?? Number.NaN)));
    const ratio = median(http) / median(floor);
    console.log(
      `approve: ${median(http).toFixed(0)}/s over HTTP, floor ${median(floor).toFixed(0)}/s, ratio ${ratio.toFixed(2)}; with the ledger ${kept.toFixed(2)} of the rate without (${connections} connections)`,
    );
  } finally {
    await stack.close();
  }
}
