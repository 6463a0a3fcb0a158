import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import {
  createPool,
  inTransaction,
  platformStatement,
  rows,
  type Statement,
} from '../../src/db/pool.ts';
import { waitBriefly } from '../../src/db/gather.ts';
import { grantRights } from '../../src/db/roles.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await testDatabase();
  await database.pool.query(
    `CREATE TABLE note (tenant_id text NOT NULL, id integer NOT NULL, PRIMARY KEY (tenant_id, id))`,
  );
  const client = await database.pool.connect();
  await grantRights(client);
  client.release();
});
afterAll(() => database.drop());
/** One connection, so that what it was sent is known. */
beforeEach(() => {
  pool = createPool(database.url, 1, 'payouts-api');
});
afterEach(() => pool.end());

const add: Statement = {
  name: 'add_note',
  text: 'INSERT INTO note (tenant_id, id) VALUES ($1, $2) RETURNING id',
};
const status = platformStatement({
  name: 'transaction_of_note',
  text: 'SELECT pg_current_xact_id_if_assigned()::text AS id',
});
const broken: Statement = { name: 'broken', text: 'SELECT missing FROM note WHERE tenant_id = $1' };

const notes = async () =>
  (await database.pool.query<{ id: number }>('SELECT id FROM note ORDER BY id')).rows;

/** Counts the round trips of the pool's connection from now on. */
async function countTrips(): Promise<() => number> {
  const client = await pool.connect();
  const { connection } = client as unknown as { connection: NodeJS.EventEmitter };
  let trips = 0;
  connection.on('readyForQuery', () => (trips += 1));
  client.release();
  return () => trips;
}

it('travels with the first statement, whether or not that has a tenant', async () => {
  await inTransaction(pool, (client) => rows(client, add, ['ten_a', 1]));
  const trips = await countTrips();
  await inTransaction(pool, (client) => rows(client, add, ['ten_a', 2]));
  expect(trips()).toBe(2);
  await inTransaction(pool, async (client) => {
    await waitBriefly(client, [1, 2]);
    expect((await client.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '500ms' }]);
    expect(await rows(client, add, ['ten_a', 3])).toEqual([{ id: 3 }]);
  });
  expect(trips()).toBe(6);
  expect((await pool.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '0' }]);
});

it('is never sent where no statement follows', async () => {
  const trips = await countTrips();
  expect(await inTransaction(pool, () => Promise.resolve('done'))).toBe('done');
  const undone = inTransaction(pool, () => Promise.reject(new Error('undone')));
  await expect(undone).rejects.toThrow('undone');
  expect(trips()).toBe(0);
  await rows(pool, add, ['ten_a', 10]);
  expect(await notes()).toContainEqual({ id: 10 });
});

it.each(['on a new connection', 'where it was prepared'])(
  'is undone as a whole %s',
  async (when) => {
    if (when === 'where it was prepared') await inTransaction(pool, (one) => rows(one, status, []));
    const before = await notes();
    const undone = inTransaction(pool, async (client) => {
      await rows(client, add, ['ten_a', 20]);
      await rows(client, add, ['ten_a', 21]);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
    expect(await notes()).toEqual(before);
  },
);

it('has begun also where its first statement cannot even be parsed', async () => {
  await inTransaction(pool, (client) => rows(client, status, []));
  const before = await notes();
  const going = inTransaction(pool, async (client) => {
    await expect(rows(client, broken, ['ten_a'])).rejects.toMatchObject({ code: '42703' });
    await rows(client, add, ['ten_a', 30]);
  });
  await expect(going).rejects.toMatchObject({ code: '25P02' });
  expect(await notes()).toEqual(before);
});

it('comes before a statement without a name', async () => {
  await inTransaction(pool, (client) => rows(client, status, []));
  const before = await notes();
  for (const statement of [
    `INSERT INTO note (tenant_id, id) VALUES ('ten_a', 40)`,
    { text: 'INSERT INTO note (tenant_id, id) VALUES ($1, 40)', values: ['ten_a'] },
  ]) {
    const undone = inTransaction(pool, async (client) => {
      await client.query(`SELECT set_config('app.tenant', 'ten_a', true)`);
      await client.query(statement);
      throw new Error('undone');
    });
    await expect(undone).rejects.toThrow('undone');
  }
  expect(await notes()).toEqual(before);
});
