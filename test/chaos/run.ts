import { parseArgs } from 'node:util';
import { runBankStorm } from './support/bank-storm.ts';
import { converge } from './support/converge.ts';
import { runFailovers } from './support/failovers.ts';
import { startMortalPostgres } from './support/mortal-postgres.ts';
import { startPair } from './support/pair.ts';
import { randomFrom } from '../support/random.ts';
import { runStorm } from './support/storm.ts';
import { startWorld, type World } from './support/world.ts';

/**
 * `node test/chaos/run.ts --kills 500 --seed 7`: payouts under load while processes and PostgreSQL
 * are killed and the provider misbehaves, all chosen by the seed; then everything must settle and
 * every invariant hold. With `--failovers 10` two processes of each kind work on a primary that is killed as
 * often, and whose synchronous standby takes over. With `--bank 200` the payouts leave in files, and the bank is killed
 * as well. Status 1, with the seed, when an invariant does not hold.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    failovers: { type: 'string' },
    bank: { type: 'string' },
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
  const postgres = await startMortalPostgres();
  closing.defer(() => postgres.close());
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
      restartPostgres: () => postgres.restart(random() < 0.5 ? 'kill' : 'stop'),
      print,
    });
    await converge(world);
    return `${kills} kills`;
  });
}

async function killWithBank(kills: number): Promise<void> {
  print(`${kills} kills with a bank, seed ${seed}`);
  await using closing = new AsyncDisposableStack();
  const postgres = await startMortalPostgres();
  closing.defer(() => postgres.close());
  const plan: { crashPoint: string | null } = { crashPoint: null };
  const world = await startWorld({
    databaseUrl: postgres.serviceUrl,
    ownerUrl: postgres.url,
    bank: () => (random() < 0.5 ? 'folder' : 'sftp'),
    crashPoint: (name) => (name === 'worker' ? plan.crashPoint : null),
  });
  closing.defer(() => world.close());
  await judge(world, async () => {
    await runBankStorm(world, postgres, {
      kills,
      random,
      armNext: (point) => {
        plan.crashPoint = point;
      },
      print,
    });
    return `${kills} kills`;
  });
}

if (values.bank !== undefined) await killWithBank(Number(values.bank));
else if (values.failovers === undefined) await kill(Number(values.kills));
else await failOver(Number(values.failovers));
