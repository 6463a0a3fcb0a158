import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let first: TestDatabase;
let second: TestDatabase;

beforeAll(async () => {
  [first, second] = await Promise.all([testDatabase(), testDatabase()]);
});

afterAll(async () => {
  await Promise.all([first.drop(), second.drop()]);
});

async function jobs(database: TestDatabase): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    'SELECT count(*)::int AS n FROM graphile_worker._private_jobs',
  );
  return rows[0]?.n ?? -1;
}

test('each database is migrated, and its rows are its own', async () => {
  await first.pool.query("SELECT graphile_worker.add_job('example')");
  expect(await jobs(first)).toBe(1);
  expect(await jobs(second)).toBe(0);
});

test('reset deletes rows and keeps what the migrations put in', async () => {
  const { rows: before } = await first.pool.query('SELECT * FROM graphile_worker.migrations');
  await first.pool.query("SELECT graphile_worker.add_job('example')");
  await first.reset();
  const { rows: after } = await first.pool.query('SELECT * FROM graphile_worker.migrations');
  expect(await jobs(first)).toBe(0);
  expect(after).toEqual(before);
  expect(after.length).toBeGreaterThan(0);
});

test('reset works whatever refers to what, and leaves foreign keys in force', async () => {
  const { pool } = second;
  await pool.query('CREATE TABLE a_parent (id int PRIMARY KEY)');
  await pool.query('CREATE TABLE b_child (id int REFERENCES a_parent)');
  await pool.query('INSERT INTO a_parent VALUES (1)');
  await pool.query('INSERT INTO b_child VALUES (1)');
  await second.reset();
  const { rowCount } = await pool.query('SELECT FROM a_parent');
  expect(rowCount).toBe(0);
  await expect(pool.query('INSERT INTO b_child VALUES (1)')).rejects.toMatchObject({
    code: '23503',
  });
});

// On Citus each comes again.
describe.runIf(inject('citusNodes').length === 0)('a database that was given up', () => {
  const nameOf = ({ url }: TestDatabase): string => new URL(url).pathname;
  test('comes again without the rows and the connections of the one before', async () => {
    const before = await testDatabase();
    await before.pool.query("SELECT graphile_worker.add_job('example')");
    const left = new pg.Client({ connectionString: before.ownerUrl });
    left.on('error', () => {});
    await left.connect();
    const ended = new Promise((resolve) => left.once('end', resolve));
    await before.drop();
    await ended;
    const after = await testDatabase();
    expect(nameOf(after)).toBe(nameOf(before));
    expect(await jobs(after)).toBe(0);
    await after.pool.query("SELECT graphile_worker.add_job('example')");
    const { rows } = await after.pool.query('SELECT id FROM graphile_worker._private_jobs');
    expect(rows).toEqual([{ id: '1' }]);
    await after.drop();
  });

  test.each([
    ['a table', 'CREATE TABLE later ()'],
    ['a right', 'GRANT SELECT ON payout TO PUBLIC'],
    ['statistics', 'ANALYZE'],
    ['a row of the migrations', 'DELETE FROM payout_permitted_transition'],
  ])('does not come again where %s changed', async (_what, change) => {
    const before = await testDatabase();
    await before.pool.query(change);
    await before.drop();
    const after = await testDatabase();
    expect(nameOf(after)).not.toBe(nameOf(before));
    await after.drop();
  });
});
