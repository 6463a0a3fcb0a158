import express from 'express';
import type { AddressInfo } from 'node:net';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { createHealth } from '../../rest/http/health.ts';
import { createPool } from '../../src/db/pool.ts';
import { createReadiness, type Readiness } from '../../src/db/ready.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await testDatabase();
  pool = createPool(database.url, 2, 'test');
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** Hides the migrations while `work` runs. */
async function withoutMigrations(work: () => Promise<void>): Promise<void> {
  await database.pool.query('ALTER TABLE schema_migration RENAME TO hidden');
  await work();
  await database.pool.query('ALTER TABLE hidden RENAME TO schema_migration');
}

const there = { problem: () => null };

it('looks for the migrations until they are there, and then only at what the watch sees', async () => {
  const watch: { problem: () => string | null } = { problem: () => null };
  const readiness = createReadiness(pool, watch);
  await withoutMigrations(async () => {
    expect(await readiness.problem()).toMatch(/^\d+ migrations are missing$/);
  });
  expect(await readiness.problem()).toBeNull();
  const query = vi.spyOn(pool, 'query');
  expect(await readiness.problem()).toBeNull();
  watch.problem = () => 'the database is read-only';
  expect(await readiness.problem()).toBe('the database is read-only');
  watch.problem = () => null;
  expect(query).not.toHaveBeenCalled();
  query.mockRestore();
});

/** Adds a migration of a newer version while `work` runs. */
async function withLater(alone: boolean, work: () => Promise<void>): Promise<void> {
  await database.pool.query(
    `INSERT INTO schema_migration (name, sha256, alone) VALUES ('later', '', $1)`,
    [alone],
  );
  await work();
  await database.pool.query(`DELETE FROM schema_migration WHERE name = 'later'`);
}

it('is ready on a newer schema, started before it or after it', async () => {
  const before = createReadiness(pool, there);
  expect(await before.problem()).toBeNull();
  await withLater(false, async () => {
    // A newer version has replaced the files that make views and functions.
    const { rows } = await database.pool.query('SELECT name, sha256 FROM schema_repeatable');
    await database.pool.query(`UPDATE schema_repeatable SET sha256 = 'newer'`);
    expect(await before.problem()).toBeNull();
    expect(await createReadiness(pool, there).problem()).toBeNull();
    for (const { name, sha256 } of rows) {
      await database.pool.query('UPDATE schema_repeatable SET sha256 = $2 WHERE name = $1', [
        name,
        sha256,
      ]);
    }
  });
});

it('is not ready beside a migration that has to run alone', async () => {
  await withLater(true, async () => {
    expect(await createReadiness(pool, there).problem()).toBe(
      'migration later: is of a newer version, beside which this one cannot run',
    );
  });
});

it('says that the database does not answer', async () => {
  const url = new URL(database.url);
  url.pathname = '/nowhere';
  const nowhere = createPool(url.href, 1, 'test');
  expect(await createReadiness(nowhere, there).problem()).toBe('the database does not answer');
  await nowhere.end();
});

async function probe(readiness: Readiness): Promise<{ status: number; body: unknown }> {
  const server = express().use(createHealth(readiness)).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/readyz`);
  const answer = { status: response.status, body: await response.json() };
  await new Promise((resolve) => server.close(resolve));
  return answer;
}

it('is not ready while it drains, though the database answers', async () => {
  const readiness = createReadiness(pool, there);
  expect(await probe(readiness)).toEqual({ status: 200, body: { status: 'ready' } });
  readiness.drain();
  expect(await probe(readiness)).toEqual({
    status: 503,
    body: { status: 'not ready', reason: 'draining' },
  });
});

it('is not ready for what a part lacks, and warns of what somebody has to mend', async () => {
  let problem: string | null = null;
  let warning: string | null = 'the clock is wrong';
  const parts = [{ problem: () => problem }, { warning: () => warning }, {}];
  const readiness = createReadiness(pool, there, parts);
  expect(await probe(readiness)).toEqual({
    status: 200,
    body: { status: 'ready', warnings: ['the clock is wrong'] },
  });
  warning = null;
  expect(await probe(readiness)).toEqual({ status: 200, body: { status: 'ready' } });
  problem = 'the keys are wrong';
  expect(await probe(readiness)).toEqual({
    status: 503,
    body: { status: 'not ready', reason: 'the keys are wrong' },
  });
});
