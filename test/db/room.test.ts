import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPool } from '../../src/db/pool.ts';
import { createRoom, tryRoom } from '../../src/db/room.ts';
import { unavailable } from '../../src/db/unavailable.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { eventually } from '../support/factory.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const log = { info: () => undefined, error: () => undefined };

function errorOf(code: string): Error {
  return Object.assign(new pg.DatabaseError('refused', 1, 'error'), { code });
}

it.each([
  ['53000', true],
  ['53100', true],
  ['53200', true],
  ['53300', true],
  ['58000', true],
  ['58030', true],
  ['53400', false],
  ['54000', false],
  ['58P01', false],
])('an error %s of the server may pass: %s', (code, passes) => {
  expect(unavailable(errorOf(code))).toBe(passes);
});

it('is told by an error, and tried again until a trial succeeds', async () => {
  let trials = 0;
  const told: (string | null)[] = [];
  const room = createRoom(() => {
    trials += 1;
    return trials < 2 ? Promise.reject(new Error('full')) : Promise.resolve();
  }, log);
  room.onChange((problem) => told.push(problem));
  room.note('23505');
  room.note(undefined);
  expect(room.problem()).toBeNull();
  room.note('53100');
  room.note('58030');
  expect(room.problem()).toBe('the database has no room to write');
  await eventually(async () => room.problem() === null);
  expect(trials).toBe(2);
  expect(told).toEqual(['the database has no room to write', null]);
  room.stop();
});

it('a trial has the rights of the service, needs pages of its own, and leaves nothing', async () => {
  const pool = createPool(database.url, 2, 'test');
  const pages = async () => {
    const { rows } = await database.pool.query<{ rows: number; bytes: number }>(
      `SELECT (SELECT count(*)::integer FROM write_probe) AS rows, pg_relation_size('write_probe')::integer AS bytes`,
    );
    return rows[0];
  };
  await tryRoom(pool);
  const after = await pages();
  expect(after?.rows).toBe(0);
  expect(after?.bytes).toBeGreaterThanOrEqual(16 * 8_192);
  await pool.end();
});
