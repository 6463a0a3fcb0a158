import { createByPgbench } from './create-pgbench.ts';
import { sizes } from './config.ts';
import { seed } from './seed.ts';
import { last, median, startBenchStack } from './stack.ts';

const { rounds, connections, milliseconds } = sizes(
  { rounds: 5, connections: 16, milliseconds: 4_000 },
  { rounds: 1, connections: 2, milliseconds: 50 },
);

/**
 * `POST /v1/payouts` with everything on, against two floors on the same server: the same command sent by
 * this project's driver, and sent by pgbench, which leaves the driver's own cost out. Interleaved, medians
 * of five.
 */
export async function run(): Promise<void> {
  const stack = await startBenchStack();
  try {
    const seeded = await seed(stack);
    const { key, tenantId, businessId, body } = seeded;
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
    const bare: number[] = [];
    const at = { url: stack.databaseUrl, folder: stack.folder };
    // V8 goes on compiling for some 20,000 creates: it is the process that has served for a while that counts.
    for (let round = 1; round <= rounds; round += 1) await stack.program('create-http.ts', env);
    // What autovacuum does within a minute; until then PostgreSQL plans for empty tables.
    await stack.pool.query('ANALYZE');
    for (let round = 1; round <= rounds; round += 1) {
      floor.push((await stack.program('create-sql.ts', env))['rate'] ?? Number.NaN);
      http.push((await stack.program('create-http.ts', env))['rate'] ?? Number.NaN);
      const rate = await createByPgbench(seeded, at, { connections, milliseconds });
      if (rate !== null) bare.push(rate);
      const byPgbench = rate === null ? '' : `, pgbench ${last(bare)}/s`;
      console.log(`round ${round}: driver ${last(floor)}/s${byPgbench}, HTTP ${last(http)}/s`);
    }
    const against = (name: string, rates: readonly number[]): string =>
      rates.length === 0
        ? `${name} not on the path`
        : `${name} ${median(rates).toFixed(0)}/s, ratio ${(median(http) / median(rates)).toFixed(2)}`;
    console.log(
      `create: ${median(http).toFixed(0)}/s over HTTP; floors: ${against('driver', floor)}; ${against('pgbench', bare)} (${connections} connections)`,
    );
  } finally {
    await stack.close();
  }
}
