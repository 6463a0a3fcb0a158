import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate } from '../../src/db/migrate.ts';
import { execute, migrationsDir, within } from '../support/given-server.ts';
import { runProgram } from '../support/program.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../dev/postgres/embedded.ts';

const folder = mkdtempSync(join(tmpdir(), 'command-'));
const dataDir = join(folder, '.data');
let postgres: EmbeddedPostgres;

beforeAll(async () => {
  chmodSync(folder, 0o755);
  postgres = await startEmbeddedPostgres({
    dataDir: join(dataDir, 'postgres'),
    settings: { fsync: 'off' },
    log: () => {},
  });
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** A command in a shell that knows nothing but where the data is. */
const run = (program: string, args: string[] = [], env: Record<string, string> = {}) =>
  runProgram(program, args, { DATA_DIR: dataDir, ...env });

const found = `DATABASE_URL is not set: using the development database in ${dataDir}.\n`;

test('every command finds the development database that runs, and says so in one line', async () => {
  const migrated = await run('src/migrate.ts');
  expect(migrated).toMatchObject({ status: 0, error: found });
  expect(migrated.out).toContain('Applied: ');
  const key = await run('src/operator-key.ts', ['--name', 'Ada']);
  expect(key).toMatchObject({ status: 0, out: expect.stringMatching(/^pos_operator_\S+\n$/) });
  expect(key.error).toContain(found);
  const keys = await run('src/rotate-keys.ts', ['status']);
  expect(keys).toMatchObject({ status: 0, error: found });
  expect(keys.out).toContain('Every ciphertext is under dev.');
  expect(await run('src/ops.ts', ['jobs'])).toMatchObject({ status: 0, error: found });
  // It comes as far as the provider, which does not run here.
  const verify = await run('tools/verify/main.ts', [], { PORT: '4' });
  expect(verify).toMatchObject({ status: 2 });
  expect(verify.error).toBe(
    `${found}the provider's books cannot be read from http://127.0.0.1:5\n`,
  );
});

test('a second installation in the cluster is refused, and told where the first one has its roles', async () => {
  const second = within(postgres.url, 'second');
  await execute(postgres.url, 'CREATE DATABASE second');
  const env = { DATABASE_URL: second };
  const refused = await run('src/migrate.ts', [], env);
  expect(refused).toMatchObject({ status: 1, out: '' });
  expect(refused.error).toMatch(
    /^The roles ops_operate, ops_read, payouts_across, payouts_service have rights in the database payouts of this cluster too, .* Give this installation a cluster of its own\.\n$/,
  );
  const client = new pg.Client({ connectionString: second });
  await client.connect();
  const { rows } = await client.query(`SELECT FROM pg_tables WHERE schemaname = 'public'`);
  await client.end();
  expect(rows).toEqual([]);
  // One that is there already goes on, and is told each time.
  await migrate(second, migrationsDir);
  const warned = await run('src/migrate.ts', [], env);
  expect(warned).toMatchObject({ status: 0, out: 'Nothing to apply.\n' });
  expect(warned.error).toMatch(/^Warning: The roles ops_operate, .* in the other\.\n/);
  await execute(postgres.url, 'DROP DATABASE second');
});

test('production uses no development database', async () => {
  const production = { NODE_ENV: 'production', OPS_DATABASE_URL: '' };
  expect(await run('src/ops.ts', ['jobs'], production)).toMatchObject({
    status: 2,
    error: expect.stringMatching(/^error: Set OPS_DATABASE_URL/),
  });
  const migrate = await run('src/migrate.ts', [], { NODE_ENV: 'production' });
  expect(migrate.status).toBe(1);
  expect(migrate.error).not.toContain('development database in');
});

test.each(['src/server.ts', 'src/worker.ts', 'src/migrate.ts'])(
  '%s without any database says what to do, without a stack',
  async (program) => {
    const empty = join(folder, 'empty');
    expect(await run(program, [], { DATA_DIR: empty })).toMatchObject({
      status: 1,
      error: `DATABASE_URL: not set, and no development database runs in ${empty}; \`npm start\` runs one\n`,
    });
  },
);

test('a database that is away is one line', async () => {
  const away = { DATABASE_URL: 'postgresql://ada@127.0.0.1:9/none' };
  const { status, error } = await run('src/operator-key.ts', ['--name', 'Ada'], away);
  expect(status).toBe(1);
  expect(error).toMatch(/^No database answers: .*ECONNREFUSED.*\n$/);
});

test('data of another PostgreSQL is refused with both versions, in its own words', async () => {
  await postgres.stop();
  const place = join(dataDir, 'postgres');
  writeFileSync(join(place, 'PG_VERSION'), '17\n');
  const start = startEmbeddedPostgres({ dataDir: place, log: () => {} });
  await expect(start).rejects.toThrow(
    /initialized by PostgreSQL version 17, which is not compatible with this version 18/,
  );
});
