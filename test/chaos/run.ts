import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../../dev/postgres/embedded.ts';
import { migrate } from '../../src/db/migrate.ts';
import { migrationsDir } from '../../src/db/ready.ts';
import { converge } from '../support/chaos/converge.ts';
import { randomFrom } from '../support/chaos/random.ts';
import { runFailovers } from '../support/chaos/failovers.ts';
import { startPair } from '../support/chaos/pair.ts';
import { postmasterPid } from '../support/chaos/standby.ts';
import { runStorm } from '../support/chaos/storm.ts';
import { startWorld, type World } from '../support/chaos/world.ts';

/**
 * `node test/chaos/run.ts --kills 500 --seed 7`: payouts under load while processes and PostgreSQL
 * are killed and the provider misbehaves, all chosen by the seed; then everything must settle and
 * every invariant hold. With `--failovers 10` two processes of each kind work on a primary that is killed as
 * often, and whose synchronous standby takes over. Status 1, with the seed, when an invariant does not hold.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    failovers: { type: 'string' },
    seed: { type: 'string' },
  },
});
const seed = Number(values.seed ?? Math.floor(Math.random() * 1e9));
const random = randomFrom(seed);
const print = (line: string): void => console.log(line);

/** Runs the storm in the world; whatever fails is told with what the processes said. */
async function judge(world: World, storm: () => Promise<string>): Promise<void> {
  try {
    const done = await storm();
    const deaths = world.members.map((member) => member.deaths());
    print(`ok: ${done}; the processes died ${deaths.join(', ')} times`);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    console.error(`${world.members.map((member) => member.lines()).join('\n')}\nseed ${seed}`);
    process.exitCode = 1;
  }
}

async function failOver(failovers: number): Promise<void> {
  print(`${failovers} failovers, seed ${seed}`);
  await using closing = new AsyncDisposableStack();
  const pair = await startPair();
  closing.defer(() => pair.close());
  const { databaseUrl, ownerUrl } = pair;
  const world = await startWorld({ databaseUrl, ownerUrl, ofEach: 2 });
  closing.defer(() => world.close());
  await judge(world, async () => {
    const acknowledged = await runFailovers(world, pair, { failovers, random, print });
    return `${acknowledged} payouts acknowledged, none lost`;
  });
}

async function kill(kills: number): Promise<void> {
  print(`${kills} kills, seed ${seed}`);
  await using closing = new AsyncDisposableStack();
  const folder = mkdtempSync(join(tmpdir(), 'chaos-run-'));
  chmodSync(folder, 0o755);
  closing.defer(() => rmSync(folder, { recursive: true, force: true }));
  const start = (pinned: { port?: number } = {}) =>
    startEmbeddedPostgres({
      dataDir: join(folder, 'postgres'),
      stopWithParent: true,
      log: () => {},
      ...pinned,
    });
  let postgres = await start();
  closing.defer(() => postgres.stop());
  await migrate(postgres.url, migrationsDir, { serviceUrl: postgres.serviceUrl });
  const plan: { crashPoint: string | null } = { crashPoint: null };
  const world = await startWorld({
    databaseUrl: postgres.serviceUrl,
    ownerUrl: postgres.url,
    crashPoint: () => plan.crashPoint,
  });
  closing.defer(() => world.close());
  await judge(world, async () => {
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
        postgres = await start({ port });
      },
      print,
    });
    await converge(world);
    return `${kills} kills`;
  });
}

if (values.failovers === undefined) await kill(Number(values.kills));
else await failOver(Number(values.failovers));
