import type { Pool } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { RateLimitSlices, type Spent } from '../../src/access/rate-limit/budget.ts';
import { AuthenticationFailures } from '../../src/access/rate-limit/failures.ts';
import {
  removeExpiredLimits,
  reserveQuota,
  reserveWholeQuota,
} from '../../src/access/rate-limit/store.ts';
import { createPool } from '../../src/db/pool.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.url, 8, 'test');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(() => database.reset());

const scope = 'ten_test';
const windowSeconds = 60;

function reserve(quota: number, needed = 1, wanted = 1, name = scope) {
  return reserveQuota(pool, name, { quota, windowSeconds, needed, wanted });
}

/** A process: a budget of its own on the shared database, counting its statements. */
function makeProcess(now = () => performance.now()) {
  const counted = { statements: 0 };
  const budget = new RateLimitSlices(
    {
      slice: (asked) => {
        counted.statements += 1;
        return reserveQuota(pool, scope, asked);
      },
      whole: (asked) => {
        counted.statements += 1;
        return reserveWholeQuota(pool, scope, asked);
      },
    },
    windowSeconds,
    now,
  );
  return { budget, counted };
}

async function endWindow(): Promise<void> {
  await database.pool.query("UPDATE rate_limit SET expires_at = now() - interval '1 second'");
}

test('a reservation takes what is needed, down to nothing', async () => {
  const first = await reserve(3);
  expect(first).toMatchObject({ granted: 1, remaining: 2 });
  expect(first.milliseconds).toBeGreaterThan(50_000);
  expect(first.milliseconds).toBeLessThanOrEqual(60_000);
  expect(await reserve(3, 5)).toMatchObject({ granted: 2, remaining: 0 });
  expect(await reserve(3)).toMatchObject({ granted: 0, remaining: 0 });
  expect(await reserve(3, 1, 1, 'ten_other')).toMatchObject({ granted: 1, remaining: 2 });
});

test('a slice is a hundredth of what is left at most, and never less than what waits', async () => {
  expect(await reserve(6_000, 1, 1_000)).toMatchObject({ granted: 60, remaining: 5_940 });
  expect(await reserve(6_000, 1, 10)).toMatchObject({ granted: 10, remaining: 5_930 });
  expect(await reserve(6_000, 200, 1)).toMatchObject({ granted: 200, remaining: 5_730 });
  expect(await reserve(120, 1, 1_000, 'ten_thin')).toMatchObject({ granted: 1, remaining: 119 });
});

test('a slice shrinks with what is left, so that one process does not keep the end to itself', async () => {
  await reserve(10_000, 9_000);
  expect(await reserve(10_000, 1, 10_000)).toMatchObject({ granted: 10, remaining: 990 });
  await reserve(10_000, 900);
  expect(await reserve(10_000, 1, 10_000)).toMatchObject({ granted: 1, remaining: 89 });
});

test('a quota that changes counts what was used before', async () => {
  await reserve(10, 10);
  expect(await reserve(10)).toMatchObject({ granted: 0, remaining: 0 });
  expect(await reserve(15)).toMatchObject({ granted: 1, remaining: 4 });
  expect(await reserve(5)).toMatchObject({ granted: 0, remaining: 0 });
});

test('a window that is over begins anew, in the same row', async () => {
  await reserve(3, 3);
  await endWindow();
  const again = await reserve(3);
  expect(again).toMatchObject({ granted: 1, remaining: 2 });
  expect(again.milliseconds).toBeGreaterThan(50_000);
  const { rows } = await database.pool.query('SELECT used FROM rate_limit');
  expect(rows).toEqual([{ used: 1 }]);
});

test('rows of windows that are over are removed, the others stay', async () => {
  await database.pool.query(
    `INSERT INTO rate_limit SELECT 'old_' || n, 1, now() - interval '1 hour' FROM generate_series(1, 2500) n`,
  );
  await reserve(3);
  await removeExpiredLimits(pool);
  const { rows } = await database.pool.query('SELECT scope FROM rate_limit');
  expect(rows).toEqual([{ scope }]);
});

test('racers on many connections get the quota exactly', async () => {
  const grants = await Promise.all(Array.from({ length: 200 }, () => reserve(150)));
  expect(grants.filter(({ granted }) => granted === 1)).toHaveLength(150);
});

async function spendAll(
  processes: readonly { budget: RateLimitSlices }[],
  quota: number,
  requests: number,
): Promise<Spent[]> {
  const spends = Array.from({ length: requests }, async (_, i) =>
    processes[i % processes.length]?.budget.spend(quota),
  );
  return (await Promise.all(spends)).filter((spent) => spent !== undefined);
}

test.each([7, 120, 6_000])('two processes share a quota of %i exactly', async (quota) => {
  const processes = [makeProcess(), makeProcess()];
  let accepted = 0;
  // In waves, so that slices are taken, spent and taken again on both.
  for (let wave = 0; wave < 2 * Math.ceil(quota / 50) + 2; wave += 1) {
    const spent = await spendAll(processes, quota, 50);
    accepted += spent.filter(({ refused }) => !refused).length;
    expect(accepted).toBeLessThanOrEqual(quota);
  }
  expect(accepted).toBe(quota);
  const { rows } = await database.pool.query('SELECT used FROM rate_limit');
  expect(rows).toEqual([{ used: quota }]);
});

test('one process alone tells exactly what is left, whatever it has taken', async () => {
  const { budget } = makeProcess();
  const remaining: number[] = [];
  for (let i = 0; i < 300; i += 1) remaining.push((await budget.spend(1_000)).remaining);
  expect(remaining).toEqual(Array.from({ length: 300 }, (_, i) => 999 - i));
});

test('a busy scope spends slices: far fewer statements than requests', async () => {
  let at = 0;
  const { budget, counted } = makeProcess(() => at);
  for (let i = 0; i < 3_000; i += 1) {
    at += 1; // 1,000 requests a second
    expect((await budget.spend(1_000_000)).refused).toBe(false);
  }
  expect(counted.statements).toBeLessThan(15);
});

test('requests that come together share a statement', async () => {
  const { budget, counted } = makeProcess();
  const spent = await spendAll([{ budget }], 1_000, 100);
  expect(spent.map(({ remaining }) => remaining).toSorted((a, b) => b - a)).toEqual(
    Array.from({ length: 100 }, (_, i) => 999 - i),
  );
  expect(counted.statements).toBeLessThanOrEqual(3);
});

test('what is refused asks the database once a second, and at once when the quota grows', async () => {
  let at = 0;
  const { budget, counted } = makeProcess(() => at);
  await spendAll([{ budget }], 2, 2);
  for (let i = 0; i < 50; i += 1) expect((await budget.spend(2)).refused).toBe(true);
  expect(counted.statements).toBeLessThanOrEqual(2);
  at += 1_001;
  const before = counted.statements;
  expect((await budget.spend(2)).refused).toBe(true);
  expect(counted.statements).toBe(before + 1);
  expect(await budget.spend(5)).toMatchObject({ refused: false, remaining: 2 });
});

test('a slice ends with its window', async () => {
  let at = 0;
  const { budget } = makeProcess(() => at);
  for (let i = 0; i < 500; i += 1) await budget.spend(100_000);
  at += 60_001;
  await endWindow();
  expect(await budget.spend(100_000)).toMatchObject({ refused: false });
  const { rows } = await database.pool.query('SELECT used < 500 AS fresh FROM rate_limit');
  expect(rows).toEqual([{ fresh: true }]);
});

test('a database that does not answer fails the request, and the next one asks again', async () => {
  let broken = true;
  const budget = new RateLimitSlices(
    {
      slice: (asked) =>
        broken ? Promise.reject(new Error('down')) : reserveQuota(pool, scope, asked),
      whole: (asked) => reserveWholeQuota(pool, scope, asked),
    },
    windowSeconds,
    () => performance.now(),
  );
  await expect(spendAll([{ budget }], 5, 3)).rejects.toThrow('down');
  broken = false;
  expect(await budget.spend(5)).toMatchObject({ refused: false, remaining: 4 });
});

test('failed authentications count for their address and a minute', () => {
  let at = 0;
  const failures = new AuthenticationFailures(2, () => at);
  expect(failures.state('192.0.2.1')).toMatchObject({ remaining: 2, refused: false });
  failures.record('192.0.2.1');
  at += 30_000;
  failures.record('192.0.2.1');
  expect(failures.state('192.0.2.1')).toMatchObject({
    remaining: 0,
    resetSeconds: 30,
    refused: true,
  });
  expect(failures.state('192.0.2.2').refused).toBe(false);
  at += 30_000;
  expect(failures.state('192.0.2.1')).toMatchObject({ remaining: 2, refused: false });
});

test('failed authentications of one /64 count together, whichever address they come from', () => {
  let at = 0;
  const failures = new AuthenticationFailures(2, () => at);
  failures.record('2001:db8:1:2::1');
  at += 10_000;
  failures.record('2001:db8:1:2:ffff:ffff:ffff:ffff');
  expect(failures.state('2001:db8:1:2:3:4:5:6')).toMatchObject({ remaining: 0, refused: true });
  expect(failures.state('2001:db8:1:3::1').refused).toBe(false);
  // The window is that of the first, not of the address that came last.
  at += 50_000;
  expect(failures.state('2001:db8:1:2:ffff:ffff:ffff:ffff').refused).toBe(false);
});

test('failed authentications of many addresses take bounded memory: the oldest is forgotten', () => {
  const failures = new AuthenticationFailures(1, () => 0);
  failures.record('first');
  for (let i = 0; i < 10_000; i += 1) failures.record(`address ${i}`);
  expect(failures.state('first').refused).toBe(false);
  expect(failures.state('address 9999').refused).toBe(true);
  expect(failures.state('address 1').refused).toBe(true);
});
