import type { Pool, PoolClient } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createPool, inTransaction } from '../../src/db/pool.ts';
import { boundPool, Share } from '../../src/db/share.ts';
import { Slots } from '../../src/concurrency/slots.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let pool: Pool;
let bound: Pool;
let share: Share;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.url, 6, 'test');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
const slots = (count: number, waitMs = 100) => new Slots({ slots: count, waiting: 100, waitMs });
beforeEach(() => {
  share = new Share(slots(2), null);
  bound = boundPool(pool, share);
});

const take = (count: number, from = bound): Promise<PoolClient[]> =>
  Promise.all(Array.from({ length: count }, () => from.connect()));

it('lends its share, and refuses what exceeds it', async () => {
  const clients = await take(2);
  await expect(bound.query('SELECT 1')).rejects.toMatchObject({
    code: 'too_many_requests',
    retryAfterSeconds: 2,
  });
  await expect(bound.connect()).rejects.toMatchObject({ code: 'too_many_requests' });
  await expect(share.run(() => Promise.resolve(1))).rejects.toMatchObject({
    code: 'too_many_requests',
  });
  expect((await pool.query('SELECT 1')).rowCount).toBe(1);
  for (const client of clients) client.release();
  expect((await bound.query('SELECT 1')).rowCount).toBe(1);
});

it('gets its connections back after success, failure and a broken connection', async () => {
  share = new Share(slots(2, 30_000), null);
  bound = boundPool(pool, share);
  for (let i = 0; i < 4; i += 1) {
    await expect(bound.query('SELECT 1 / 0')).rejects.toMatchObject({ code: '22012' });
    await expect(inTransaction(bound, (client) => client.query('nonsense'))).rejects.toMatchObject({
      code: '42601',
    });
    await expect(
      bound.query('SELECT pg_terminate_backend(pg_backend_pid())'),
    ).rejects.toBeInstanceOf(Error);
    await expect(share.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  }
  expect(share.idle).toBe(true);
  const results = await Promise.all(
    Array.from({ length: 20 }, () => bound.query<{ one: number }>('SELECT 1 AS one')),
  );
  expect(results.map(({ rows }) => rows[0]?.one)).toEqual(Array(20).fill(1));
  expect(share.idle).toBe(true);
});

it('a connection that is given back twice is counted once', async () => {
  const [client] = await take(1);
  client?.release();
  expect(() => client?.release()).toThrow();
  const clients = await take(2);
  await expect(bound.connect()).rejects.toMatchObject({ code: 'too_many_requests' });
  for (const one of clients) one.release();
  expect(share.idle).toBe(true);
});

it('keeps its share when the database cannot be reached', async () => {
  const away = createPool('postgres://nobody@127.0.0.1:1/nothing', 2, 'test');
  const lost = boundPool(away, share);
  for (let i = 0; i < 5; i += 1) {
    await expect(lost.query('SELECT 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    await expect(lost.connect()).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  }
  expect(share.idle).toBe(true);
  await away.end();
});

it('holders of a group share the connections of the group', async () => {
  const group = slots(3);
  const [one, other] = [new Share(slots(2), group), new Share(slots(2), group)];
  const ofOne = await take(2, boundPool(pool, one));
  const ofOther = await take(1, boundPool(pool, other));
  await expect(boundPool(pool, other).connect()).rejects.toMatchObject({
    code: 'too_many_requests',
  });
  ofOne[0]?.release();
  const [late] = await take(1, boundPool(pool, other));
  for (const client of [ofOne[1], ofOther[0], late]) client?.release();
  expect([one.idle, other.idle, group.idle]).toEqual([true, true, true]);
});
