import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../dev/postgres/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { converge } from '../support/chaos/converge.ts';
import { randomFrom } from '../support/chaos/random.ts';
import { runStorm } from '../support/chaos/storm.ts';
import { startWorld } from '../support/chaos/world.ts';

/**
 * `node test/chaos/run.ts --kills 500 --seed 7`: payouts under load while processes and PostgreSQL
 * are killed and the provider misbehaves, all chosen by the seed; then everything must settle and
 * every invariant hold. Status 1, with the seed, when one does not.
 */
const { values } = parseArgs({
  options: { kills: { type: 'string', default: '100' }, seed: { type: 'string' } },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const kills = Number(values.kills);
console.log(`${kills} kills, seed ${seed}`);

const folder = mkdtempSync(join(tmpdir(), 'chaos-run-'));
chmodSync(folder, 0o755);
const dataDir = join(folder, 'postgres');
const start = (port?: number) =>
  startEmbeddedPostgres({
    dataDir,
    stopWithParent: true,
    log: () => {},
    ...(port === undefined ? {} : { port }),
  });

async function postmasterPid(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  const { rows } = await client.query<{ text: string }>(
    `SELECT pg_read_file('postmaster.pid') AS text`,
  );
  await client.end();
  return Number(rows[0]?.text.split('\n')[0]);
}

let postgres = await start();
await migrate(postgres.url, join(import.meta.dirname, '../../prisma/migrations'), {
  serviceUrl: postgres.serviceUrl,
});
const random = randomFrom(seed);
const plan: { crashPoint: string | null } = { crashPoint: null };
const world = await startWorld({
  databaseUrl: postgres.serviceUrl,
  ownerUrl: postgres.url,
  crashPoint: () => plan.crashPoint,
});
try {
  await runStorm(world, {
    kills,
    random,
    armNext: (point) => {
      plan.crashPoint = point;
    },
    restartPostgres: async () => {
      const { port } = postgres;
      if (random() < 0.5) process.kill(await postmasterPid(postgres.url), 'SIGKILL');
      await postgres.stop();
      postgres = await start(port);
    },
    print: (line) => console.log(line),
  });
  await converge(world);
  console.log(
    `ok: ${world.api.deaths()} deaths of the API, ${world.worker.deaths()} of the worker`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  console.error(`${world.api.lines()}\n${world.worker.lines()}\nseed ${seed}`);
  process.exitCode = 1;
} finally {
  await world.close();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}
