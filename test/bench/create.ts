import { sizes } from './config.ts';
import { seed } from './seed.ts';
import { last, median, startBenchStack } from './stack.ts';

const { rounds, connections, milliseconds } = sizes(
  { rounds: 5, connections: 16, milliseconds: 4_000 },
  { rounds: 1, connections: 2, milliseconds: 50 },
);

/**
 * `POST /v1/payouts` with everything on, against the same statement sent by a plain driver to the
 * same server: interleaved, medians of five.
 */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const { key, tenantId, businessId, body } = await seed(stack);
    const env = {
      KEY: key,
      TENANT: tenantId,
      BUSINESS: businessId,
      BODY: JSON.stringify(body),
      CONNECTIONS: String(connections),
      MILLISECONDS: String(milliseconds),
    };
    const http: number[] = [];
    const floor: number[] = [];
    await stack.program('create-http.ts', env); // warm-up
    // What autovacuum does within a minute; until then PostgreSQL plans for empty tables.
    await stack.pool.query('ANALYZE');
    for (let round = 1; round <= rounds; round += 1) {
      floor.push((await stack.program('create-sql.ts', env))['rate'] ?? Number.NaN);
      http.push((await stack.program('create-http.ts', env))['rate'] ?? Number.NaN);
      console.log(`round ${round}: statement ${last(floor)}/s, HTTP ${last(http)}/s`);
    }
    const ratio = median(http) / median(floor);
    console.log(
      `create: ${median(http).toFixed(0)}/s over HTTP, floor ${median(floor).toFixed(0)}/s, ratio ${ratio.toFixed(2)} (${connections} connections)`,
    );
  } finally {
    await stack.close();
  }
}
