import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPayee, pay, registerBusiness } from '../support/chaos/business.ts';
import { randomFrom } from '../support/chaos/random.ts';
import { startWorld, type World } from '../support/chaos/world.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/factory.ts';
import { longTestMs } from '../support/patience.ts';

let database: TestDatabase;
let world: World;

beforeAll(async () => {
  database = await testDatabase();
  world = await startWorld({
    databaseUrl: database.url,
    ownerUrl: database.ownerUrl,
    bank: true,
  });
});

afterAll(async () => {
  await world?.close();
  await database?.drop();
});

const query = async (text: string, values: unknown[] = []) =>
  (await database.pool.query(text, values)).rows;

/** What the clock and an operator's order add, now. */
async function tick(): Promise<void> {
  await query(
    `SELECT graphile_worker.add_job('close_bank_batch', json_build_object(
       'tenantId', tenant_id, 'connectionId', id, 'onRequest', true)) FROM bank_connection`,
  );
  for (const task of ['fetch_bank_files', 'settle_bank_payouts']) {
    await query(`SELECT graphile_worker.add_job($1, '{}')`, [task]);
  }
}

const expected = { '6789': 'settled', '0002': 'returned' } as const;
type Ending = keyof typeof expected;

test(
  'processes that are killed put no payout into two files, and lose none',
  { timeout: longTestMs },
  async () => {
    const call = await registerBusiness(world.address);
    const graphql = async (text: string) => {
      const { body } = await call('POST', '/graphql', { query: text });
      expect(body.errors).toBeUndefined();
      return body.data;
    };
    const { sandboxBankConnect: bank } = await graphql(
      'mutation { sandboxBankConnect(input: { name: "Bank", currency: "USD", debtorName: "Chaos Company" }) { id } }',
    );
    await graphql(
      `mutation { sandboxRoutesReplace(version: 0, routes: [{ connectionId: "${bank.id}" }]) { version } }`,
    );
    const payees = { '6789': await addPayee(call), '0002': await addPayee(call, '0002') };
    const random = randomFrom(19);
    const wanted = new Map<string, Ending>();
    for (let kill = 0; kill < 8; kill += 1) {
      const made = (['6789', '0002', '6789'] as const).map(async (ending) => {
        wanted.set(await pay(call, payees[ending], { auto: random() < 0.5 }), ending);
      });
      await tick();
      await sleep(random() * 1_200);
      (random() < 0.25 ? world.api : world.worker).kill();
      await Promise.all(made);
    }
    await eventually(async () => {
      await tick();
      await sleep(500);
      const rows = await query('SELECT id, state FROM payout');
      return rows.every(({ id, state }) => state === expected[wanted.get(id) ?? '6789']);
    });
    expect(await query('SELECT id FROM payout')).toHaveLength(wanted.size);
    const files = await query(
      'SELECT payout_id FROM bank_payment GROUP BY payout_id HAVING count(*) > 1',
    );
    expect(files).toEqual([]);
    // The storm was one: files were made between the deaths.
    expect((await query('SELECT id FROM bank_batch')).length).toBeGreaterThan(1);
    expect(world.worker.deaths() + world.api.deaths()).toBeGreaterThan(1);
    await eventually(async () => (await world.violations(true)).length === 0);
  },
);
