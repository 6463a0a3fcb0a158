import { randomUUID } from 'node:crypto';
import { sizes } from './config.ts';
import { seed } from './seed.ts';
import { last, median, startBenchStack } from './stack.ts';

const { rounds, rowsPerRequest, milliseconds } = sizes(
  { rounds: 5, rowsPerRequest: 1_000, milliseconds: 3_000 },
  { rounds: 1, rowsPerRequest: 10, milliseconds: 50 },
);

/** Rows a second of bulk requests of a thousand, against single creates from one connection. */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const { key, tenantId, body } = await seed(stack);
    const env = {
      KEY: key,
      TENANT: tenantId,
      BODY: JSON.stringify(body),
      CONNECTIONS: '1',
      MILLISECONDS: String(milliseconds),
    };
    const bulk = async (): Promise<number> => {
      const payouts = Array.from({ length: rowsPerRequest }, () => ({
        ...body,
        idempotency_key: randomUUID(),
      }));
      const started = performance.now();
      const answer = await fetch(`${stack.baseUrl}/v1/payouts/bulk`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ payouts }),
      });
      const { summary } = (await answer.json()) as { summary: { created: number } };
      if (summary.created !== rowsPerRequest) throw new Error(`created ${summary.created}`);
      return (rowsPerRequest * 1_000) / (performance.now() - started);
    };
    const rows: number[] = [];
    const single: number[] = [];
    await bulk(); // warm-up
    for (let round = 1; round <= rounds; round += 1) {
      single.push((await stack.program('create-http.ts', env))['rate'] ?? Number.NaN);
      rows.push(await bulk());
      console.log(`round ${round}: single ${last(single)}/s, bulk ${last(rows)} rows/s`);
    }
    const ratio = median(rows) / median(single);
    console.log(
      `bulk: ${median(rows).toFixed(0)} rows/s, single creates ${median(single).toFixed(0)}/s, ratio ${ratio.toFixed(1)} (one connection each)`,
    );
  } finally {
    await stack.close();
  }
}
