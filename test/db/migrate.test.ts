import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { pendingMigrations } from '../../src/db/pending.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
let root: string;
let folder: string;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'migrations-'));
  folder = join(root, 'migrations');
  database = await testDatabase({ migrated: false });
  add('1_fruit', 'CREATE TABLE fruit (name text PRIMARY KEY);');
  add('2_apple', "INSERT INTO fruit VALUES ('apple'); INSERT INTO fruit VALUES ('pear');");
});

afterEach(async () => {
  await database.drop();
  rmSync(root, { recursive: true });
});

function add(name: string, sql: string): void {
  mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, name, 'migration.sql'), sql);
}

function repeat(name: string, sql: string | null): void {
  const path = join(root, 'repeatable', name);
  mkdirSync(dirname(path), { recursive: true });
  if (sql === null) rmSync(path);
  else writeFileSync(path, sql);
}

async function count(table: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${table}`,
  );
  return rows[0]?.n ?? -1;
}

test('applies missing migrations in order, and none twice', async () => {
  expect(await pendingMigrations(database.pool, folder)).toEqual(['1_fruit', '2_apple']);
  expect(await migrate(database.ownerUrl, folder)).toEqual({ applied: ['1_fruit', '2_apple'] });
  expect(await migrate(database.ownerUrl, folder)).toEqual({ applied: [] });
  expect(await count('fruit')).toBe(2);

  add('3_plum', "INSERT INTO fruit VALUES ('plum')");
  expect(await pendingMigrations(database.pool, folder)).toEqual(['3_plum']);
  expect(await migrate(database.ownerUrl, folder)).toEqual({ applied: ['3_plum'] });
  expect(await pendingMigrations(database.pool, folder)).toEqual([]);
});

test('records the content of each', async () => {
  await migrate(database.ownerUrl, folder);
  const { rows } = await database.pool.query(
    'SELECT name, sha256, applied_at <= now() AS applied FROM schema_migration ORDER BY name LIMIT 1',
  );
  expect(rows[0]).toEqual({
    name: '1_fruit',
    sha256: '519d7f31b8fab0892d0b0fbe6b15cd394ee668bca62a8961f8a530729f5cc759',
    applied: true,
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

test('a database of a newer version lacks nothing, and an older one changes nothing of it', async () => {
  add('3_ops', 'CREATE SCHEMA ops');
  repeat('10-view.sql', 'CREATE VIEW ops.fruits AS SELECT 1 AS n');
  await migrate(database.ownerUrl, folder);
  rmSync(join(folder, '2_apple'), { recursive: true });
  repeat('10-view.sql', 'CREATE VIEW ops.fruits AS SELECT 2 AS n');
  expect(await pendingMigrations(database.pool, folder)).toEqual([]);
  const warnings: string[] = [];
  const warn = (problem: string) => void warnings.push(problem);
  expect(await migrate(database.ownerUrl, folder, { warn })).toEqual({ applied: [] });
  expect(warnings).toEqual([
    'The database is of a newer version, with 2_apple: nothing is changed.',
  ]);
  expect((await database.pool.query('SELECT n FROM ops.fruits')).rows).toEqual([{ n: 1 }]);
});

test('neither of two versions that each have a migration of their own follows the other', async () => {
  await migrate(database.ownerUrl, folder);
  rmSync(join(folder, '2_apple'), { recursive: true });
  add('3_plum', "INSERT INTO fruit VALUES ('plum')");
  for (const work of [
    () => migrate(database.ownerUrl, folder),
    () => pendingMigrations(database.pool, folder),
  ]) {
    await expect(work()).rejects.toThrow(
      '2_apple: is applied but unknown here, where 3_plum is new',
    );
  }
  expect(await count('fruit')).toBe(2);
});

test('a migration that runs alone has no version before it beside it', async () => {
  add('3_alone', '-- runs alone: older processes read the fruit in clear\nDELETE FROM fruit;');
  await migrate(database.ownerUrl, folder);
  expect(await pendingMigrations(database.pool, folder)).toEqual([]);
  rmSync(join(folder, '3_alone'), { recursive: true });
  for (const work of [
    () => migrate(database.ownerUrl, folder),
    () => pendingMigrations(database.pool, folder),
  ]) {
    await expect(work()).rejects.toThrow('3_alone: is of a newer version');
  }
});

test('a migration that fails leaves nothing behind, and earlier ones stay', async () => {
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

describe('the repeatable files', () => {
  beforeEach(() => {
    add('3_ops', 'CREATE SCHEMA ops');
    repeat('10-view.sql', 'CREATE VIEW ops.fruits AS SELECT name FROM public.fruit');
    repeat(
      '20-function.sql',
      `CREATE FUNCTION ops.fruits_now() RETURNS SETOF ops.fruits LANGUAGE sql
         BEGIN ATOMIC SELECT * FROM ops.fruits; END;
       CREATE VIEW ops.current AS SELECT * FROM ops.fruits_now();`,
    );
    for (const [name, parameters] of [
      ['waiting_resolution', 'text'],
      ['is_contradicted', 'text, text'],
      ['note_finding', 'text, uuid, text, uuid'],
    ] as const) {
      repeat(
        `30-${name}.sql`,
        `CREATE OR REPLACE FUNCTION ops.${name}(${parameters}) RETURNS int RETURN 1`,
      );
    }
  });

  test('run again whole, in order, when one of them changed, and not otherwise', async () => {
    expect((await migrate(database.ownerUrl, folder)).applied.slice(3, 5)).toEqual([
      '10-view.sql',
      '20-function.sql',
    ]);
    expect(await count('ops.current')).toBe(2);
    expect(await migrate(database.ownerUrl, folder)).toEqual({ applied: [] });

    // A view cannot lose a column without being dropped, and others depend on it.
    repeat('10-view.sql', 'CREATE VIEW ops.fruits AS SELECT length(name) AS n FROM public.fruit');
    expect(await pendingMigrations(database.pool, folder)).toEqual(['10-view.sql']);
    expect(await migrate(database.ownerUrl, folder)).toEqual({ applied: ['10-view.sql'] });
    const { rows } = await database.pool.query('SELECT * FROM ops.current ORDER BY n');
    expect(rows).toEqual([{ n: 4 }, { n: 5 }]);
  });

  test('of a newer version without a migration serve the older one too, until that is applied again', async () => {
    await migrate(database.ownerUrl, folder);
    const older = 'CREATE VIEW ops.fruits AS SELECT name FROM public.fruit';
    const newer = 'CREATE VIEW ops.fruits AS SELECT name, 1 AS n FROM public.fruit';
    repeat('10-view.sql', newer);
    expect(await pendingMigrations(database.pool, folder)).toEqual(['10-view.sql']);
    await migrate(database.ownerUrl, folder);
    repeat('10-view.sql', older);
    expect(await pendingMigrations(database.pool, folder)).toEqual([]);
    expect(await migrate(database.ownerUrl, folder)).toEqual({ applied: ['10-view.sql'] });
    repeat('10-view.sql', newer);
    expect(await pendingMigrations(database.pool, folder)).toEqual(['10-view.sql']);
  });

  test('take with them what a file that is gone had made', async () => {
    await migrate(database.ownerUrl, folder);
    repeat('20-function.sql', null);
    await migrate(database.ownerUrl, folder);
    await expect(count('ops.current')).rejects.toThrow('does not exist');
    expect(await count('ops.fruits')).toBe(2);
  });

  test('leave the functions that the service calls in place, with its right', async () => {
    const asked = `SELECT oid FROM pg_proc WHERE oid = 'ops.is_contradicted(text,text)'::regprocedure
      AND has_function_privilege('payouts_service', oid, 'EXECUTE')`;
    await migrate(database.ownerUrl, folder);
    const before = await database.pool.query(asked);
    repeat('10-view.sql', 'CREATE VIEW ops.fruits AS SELECT 1 AS n');
    await migrate(database.ownerUrl, folder);
    expect(before.rowCount).toBe(1);
    expect((await database.pool.query(asked)).rows).toEqual(before.rows);
  });

  test('are kept as they were where one fails, or where something else needs what they made', async () => {
    await migrate(database.ownerUrl, folder);
    repeat('20-function.sql', 'CREATE VIEW ops.current AS SELECT * FROM nowhere');
    await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('20-function.sql failed');
    expect(await count('ops.current')).toBe(2);

    repeat('20-function.sql', 'CREATE VIEW ops.current AS SELECT 1 AS n');
    await database.pool.query('CREATE VIEW public.mine AS SELECT * FROM ops.fruits');
    await expect(migrate(database.ownerUrl, folder)).rejects.toThrow('depend on it');
    expect(await count('ops.current')).toBe(2);
  });
});
