import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { migrate, pendingMigrations } from '../../src/db/migrate.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'migrations-'));
  database = await testDatabase({ migrated: false });
  add('1_fruit', 'CREATE TABLE fruit (name text PRIMARY KEY);');
  add('2_apple', "INSERT INTO fruit VALUES ('apple'); INSERT INTO fruit VALUES ('pear');");
});

afterEach(async () => {
  await database.drop();
  rmSync(folder, { recursive: true });
});

function add(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

async function count(table: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table}`,
  );
  return rows[0]?.n ?? -1;
}

test('applies what is missing in order, and nothing twice', async () => {
  expect(await pendingMigrations(database.pool, folder)).toEqual(['1_fruit', '2_apple']);
  expect(await migrate(database.ownerUrl, folder)).toEqual({ applied: ['1_fruit', '2_apple'] });
  expect(await migrate(database.ownerUrl, folder)).toEqual({ applied: [] });
  expect(await count('fruit')).toBe(2);

  add('3_plum', "INSERT INTO fruit VALUES ('plum')");
  expect(await pendingMigrations(database.pool, folder)).toEqual(['3_plum']);
  expect(await migrate(database.ownerUrl, folder)).toEqual({ applied: ['3_plum'] });
  expect(await pendingMigrations(database.pool, folder)).toEqual([]);
});

test('records them as Prisma does', async () => {
  await migrate(database.ownerUrl, folder);
  const { rows } = await database.pool.query(
    `SELECT migration_name, checksum, applied_steps_count, logs, rolled_back_at,
            finished_at >= started_at AS finished, length(id) AS id_length
       FROM _prisma_migrations ORDER BY migration_name LIMIT 1`,
  );
  expect(rows[0]).toEqual({
    migration_name: '1_fruit',
    // sha256sum of the file
    checksum: '519d7f31b8fab0892d0b0fbe6b15cd394ee668bca62a8961f8a530729f5cc759',
    applied_steps_count: 1,
    logs: null,
    rolled_back_at: null,
    finished: true,
    id_length: 36,
  });
});

test('installs the schema of graphile-worker', async () => {
  await migrate(database.ownerUrl, folder);
  await database.pool.query("SELECT graphile_worker.add_job('example')");
  expect(await count('graphile_worker._private_jobs')).toBe(1);
});

test('an edited migration is an error', async () => {
  await migrate(database.ownerUrl, folder);
  add('2_apple', "INSERT INTO fruit VALUES ('grape')");
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('2_apple: was edited');
  await expect(pendingMigrations(database.pool, folder)).rejects.toThrow('2_apple: was edited');
});

test('a migration that began and never finished is an error, until it is marked rolled back', async () => {
  await migrate(database.ownerUrl, folder);
  await database.pool.query(
    "UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = '2_apple'",
  );
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow(
    '2_apple: began and never finished',
  );

  await database.pool.query('DELETE FROM fruit');
  await database.pool.query(
    "UPDATE _prisma_migrations SET rolled_back_at = now() WHERE migration_name = '2_apple'",
  );
  expect(await migrate(database.ownerUrl, folder)).toEqual({ applied: ['2_apple'] });
});

test('a migration that only the database knows is an error', async () => {
  await migrate(database.ownerUrl, folder);
  rmSync(join(folder, '2_apple'), { recursive: true });
  await expect(migrate(database.ownerUrl, folder)).rejects.toThrow(
    '2_apple: is applied but unknown',
  );
});

test('of a migration that fails nothing is kept, and what came before it stays', async () => {
  add('3_broken', "INSERT INTO fruit VALUES ('fig'); INSERT INTO nowhere VALUES (1);");
  const failure = migrate(database.ownerUrl, folder);
  await expect(failure).rejects.toThrow('3_broken failed');
  await expect(failure).rejects.toMatchObject({ cause: { code: '42P01' } });
  expect(await count('fruit')).toBe(2);
  expect(await pendingMigrations(database.pool, folder)).toEqual(['3_broken']);
});

test('processes that migrate at once apply each migration once', async () => {
  const results = await Promise.all([1, 2, 3, 4].map(() => migrate(database.ownerUrl, folder)));
  expect(results.flatMap((result) => result.applied).toSorted()).toEqual(['1_fruit', '2_apple']);
  expect(await count('fruit')).toBe(2);
});
