import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBankStorm } from './support/bank-storm.ts';
import { type MortalPostgres, startMortalPostgres } from './support/mortal-postgres.ts';
import { randomFrom } from '../support/random.ts';
import { query } from './support/standby.ts';
import { startWorld, type World } from './support/world.ts';
import { longTestMs } from '../support/patience.ts';

let postgres: MortalPostgres;
let world: World;
const plan: { crashPoint: string | null } = { crashPoint: null };
const lives = { folder: 0, sftp: 0 };

beforeAll(async () => {
  postgres = await startMortalPostgres();
  world = await startWorld({
    databaseUrl: postgres.serviceUrl,
    ownerUrl: postgres.url,
    // Each life reaches the bank by the other way.
    bank() {
      const way = lives.folder > lives.sftp ? 'sftp' : 'folder';
      lives[way] += 1;
      return way;
    },
    crashPoint: (name) => (name === 'worker' ? plan.crashPoint : null),
  });
});

afterAll(async () => {
  await world?.close();
  await postgres?.close();
});

/** `node test/chaos/run.ts --bank 200` is the same for longer. */
test(
  'whatever is killed, a payout is in one file and ends as the bank says',
  { timeout: longTestMs },
  async () => {
    await runBankStorm(world, postgres, {
      kills: 10,
      random: randomFrom(19),
      armNext(point) {
        plan.crashPoint = point;
      },
      print: () => {},
    });
    // The storm was one: files of both formats were made between the deaths.
    const files = await query<{ scheme: string }>(postgres.url, 'SELECT scheme FROM bank_batch');
    expect(files.length).toBeGreaterThan(4);
    expect(new Set(files.map(({ scheme }) => scheme))).toEqual(
      new Set(['ach', 'sepa_credit_transfer', 'cross_border']),
    );
    expect(Math.min(lives.folder, lives.sftp)).toBeGreaterThan(1);
    expect(world.worker.deaths()).toBeGreaterThan(2);
    expect(world.simulator?.deaths()).toBeGreaterThan(0);
  },
);
