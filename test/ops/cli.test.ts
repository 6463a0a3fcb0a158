import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/ops/arguments.ts';
import { readOpsDatabaseUrl } from '../../src/ops/config.ts';
import { toText } from '../../src/ops/table.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { runProgram } from '../support/program.ts';
import { makeOperator, type Operator } from './support.ts';

let database: TestDatabase;
let operator: Operator;
let reader: Operator;
beforeAll(async () => {
  database = await testDatabase();
  operator = await makeOperator(database, 'ops_operate');
  reader = await makeOperator(database, 'ops_read');
});
afterAll(async () => {
  await operator.leave();
  await reader.leave();
  await database.drop();
});

/** `npm run ops -- …` as a process. */
const ops = (url: string, ...words: string[]) =>
  runProgram('src/ops.ts', words, { OPS_DATABASE_URL: url });

async function deadJob(error: string): Promise<string> {
  const { rows } = await database.pool.query<{ id: string }>(
    `SELECT id FROM graphile_worker.add_job('disburse_payout', '{"tenantId":"ten_1","payoutId":"pay_1"}')`,
  );
  const id = rows[0]?.id ?? '';
  await database.pool.query(
    'UPDATE graphile_worker._private_jobs SET attempts = max_attempts, last_error = $2 WHERE id = $1',
    [id, error],
  );
  return id;
}

describe('npm run ops', () => {
  it('lists what the login may use', async () => {
    const all = await ops(operator.url);
    expect(all.status).toBe(0);
    expect(all.out).toContain('  jobs\n      Every job');
    expect(all.out).toContain('  retry_job --job --reason\n');
    const readable = await ops(reader.url);
    expect(readable.out).toContain('  timeline --payout');
    expect(readable.out).not.toContain('retry_job --job');
    const help = await ops(operator.url, 'schedule', '--help');
    expect(help.out).toContain('--run-at   timestamp with time zone, may be left out');
  });

  it('reads a view, filtered, as a table or JSON', async () => {
    const id = await deadJob('two\nlines \u001b[31mred');
    await deadJob('another');
    const table = await ops(reader.url, 'jobs', '--last-error', 'another');
    expect(table.status).toBe(0);
    expect(table.out).toMatch(
      /^ *id {2}task .*\n─+ .*\n *\d+ {2}disburse_payout .*another.*\n\(1 row\)\n$/,
    );
    const json = await ops(reader.url, 'jobs', '--id', id, '--json');
    expect(JSON.parse(json.out)).toMatchObject([
      { id: Number(id), state: 'dead', last_error: 'two lines \u001b[31mred' },
    ]);
    const record = await ops(reader.url, 'jobs', `--id=${id}`, '--expanded');
    expect(record.out).toContain('last_error    two lines  [31mred\n');
    const cut = await ops(reader.url, 'jobs', '--limit', '1');
    expect(cut).toMatchObject({ status: 0, error: 'There are more; --limit 10 shows more.\n' });
    const cutJson = await ops(reader.url, 'jobs', '--limit', '1', '--json');
    expect(JSON.parse(cutJson.out)).toHaveLength(1);
    expect(cutJson.error).toBe(cut.error);
    expect(cut.out).toContain('(1 row)');
  });

  it('acts by position and by name', async () => {
    const id = await deadJob('x');
    const done = await ops(operator.url, 'retry_job', id, '--reason', 'it is mended');
    expect(done).toMatchObject({ status: 0, error: '' });
    expect(
      await operator.row('SELECT who, reason FROM ops.action_log WHERE action = $1', ['retry_job']),
    ).toEqual({
      who: operator.name,
      reason: 'it is mended',
    });
    await deadJob('boom');
    const shown = await ops(
      operator.url,
      'retry_jobs',
      'disburse_payout',
      '--error-like',
      '%boom%',
      '--json',
    );
    expect(JSON.parse(shown.out)).toMatchObject([{ outcome: 'would be retried' }]);
    const empty = await ops(
      operator.url,
      'retry_jobs',
      'disburse_payout',
      '--error-like',
      'nothing',
      '--json',
    );
    expect(JSON.parse(empty.out)).toEqual([]);
    const added = await ops(
      operator.url,
      'schedule',
      'reconcile_payouts',
      '--reason',
      'now',
      '--run-at',
      '2030-01-01T00:00:00Z',
    );
    expect(added.status).toBe(0);
    expect(added.out).toContain('2030-01-01');
  });

  it('prints the error with its hint, and sets the exit status', async () => {
    const refused = await ops(operator.url, 'pause_task', 'disburse', '--reason', 'x');
    expect(refused).toMatchObject({ status: 1, out: '' });
    expect(refused.error).toMatch(
      /^error: There is no task 'disburse'\.\nhint: Tasks: apply_bank_file, apply_provider_event, /,
    );
    expect(await ops(operator.url, 'retry_job', '1')).toMatchObject({
      status: 1,
      error: expect.stringContaining('A reason is required'),
    });
    expect(await ops(operator.url, 'jobs', '--id', 'x')).toMatchObject({ status: 1 });
    expect(await ops(reader.url, 'retry_job', '1', '--reason', 'x')).toMatchObject({
      status: 2,
      error: expect.stringContaining(
        'There is no view or function retry_job that this login may use. `npm run ops` lists them',
      ),
    });
    expect(await ops(reader.url, 'jobs', '--stat', 'dead')).toMatchObject({
      status: 2,
      error: expect.stringContaining('jobs has no --stat; it has --id, --task'),
    });
    expect(await ops(reader.url, 'jobs', 'dead')).toMatchObject({ status: 2 });
    expect(await ops(reader.url, 'find', 'a', 'b')).toMatchObject({ status: 2 });
    expect(await ops('postgresql://ada@127.0.0.1:9/none', 'jobs')).toMatchObject({
      status: 2,
      error: expect.stringContaining('No database answers'),
    });
  });

  it('says so where the login is no operator', async () => {
    const name = `nobody_${operator.name}`;
    await database.pool.query(`CREATE ROLE ${name} LOGIN PASSWORD 'x'`);
    const url = new URL(operator.url);
    url.username = name;
    url.password = 'x';
    expect(await ops(url.href)).toMatchObject({
      status: 2,
      error: expect.stringContaining('it needs the role ops_read'),
    });
    await database.pool.query(`DROP ROLE ${name}`);
  });
});

it('values are parameters, names are not taken from the command line', async () => {
  const answer = await ops(operator.url, 'find', `x'); DROP SCHEMA ops; --`);
  expect(answer).toMatchObject({ status: 0, out: expect.stringContaining('(0 rows)') });
  expect(await ops(operator.url, `jobs"; DROP SCHEMA ops; --`)).toMatchObject({ status: 2 });
  expect(await ops(operator.url, 'jobs', '--id" = 1 OR "id', '1')).toMatchObject({ status: 2 });
});

it('takes the command line apart', () => {
  const { named, ...rest } = parseArguments([
    'a',
    'b',
    '--dry-run',
    '--reason',
    'why so',
    '--x=1=2',
    'c',
    '--json',
  ]);
  expect(rest).toEqual({ name: 'a', positional: ['b', 'c'], format: 'json', help: false });
  expect(Object.fromEntries(named)).toEqual({ dry_run: 'true', reason: 'why so', x: '1=2' });
});

it('shows each value on one line, and nothing that controls the terminal', () => {
  const columns = [{ name: 'word', numeric: false }];
  const result = { columns, rows: [['two\nlines \u001b[31mred']] };
  expect(toText(result, false, null)).toContain('two ⏎ lines  [31mred\n');
  expect(toText(result, true, null)).toContain('two ⏎ lines  [31mred\n');
});

it('shows records instead of a table that is wider than the terminal', () => {
  const result = {
    columns: [
      { name: 'n', numeric: true },
      { name: 'word', numeric: false },
    ],
    rows: [
      ['1', 'a'],
      ['10', null],
    ],
  };
  expect(toText(result, false, null)).toBe(' n  word\n──  ────\n 1  a\n10\n(2 rows)');
  expect(toText(result, false, 80)).toBe(toText(result, false, null));
  expect(toText(result, false, 5)).toBe(
    '── 1 ──\nn     1\nword  a\n── 2 ──\nn     10\nword\n(2 rows)',
  );
});

describe('the database', () => {
  it("is the operator's own, the service's, or that of npm start while it runs", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'ops-'));
    const said: string[] = [];
    const read = (env: NodeJS.ProcessEnv) => readOpsDatabaseUrl((line) => said.push(line), env);
    await writeFile(join(folder, 'url'), 'postgresql://from-a-file\n');
    const service = { DATABASE_URL: 'postgresql://service', DATA_DIR: folder };
    expect(await read({ ...service, OPS_DATABASE_URL: 'postgresql://ada' })).toBe(
      'postgresql://ada',
    );
    expect(await read({ ...service, OPS_DATABASE_URL_FILE: join(folder, 'url') })).toBe(
      'postgresql://from-a-file',
    );
    expect(await read(service)).toBe('postgresql://service');
    await expect(read({ DATA_DIR: folder })).rejects.toThrow('Set OPS_DATABASE_URL');
    await expect(read({ OPS_DATABASE_URL_FILE: join(folder, 'none') })).rejects.toThrow(
      'cannot read',
    );
    // What a run left that does not run now is no database.
    await writeFile(
      join(folder, 'postgres.json'),
      JSON.stringify({ shelter: null, password: 'secret', port: 9 }),
    );
    await expect(read({ DATA_DIR: folder })).rejects.toThrow('Set OPS_DATABASE_URL');
    expect(said).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
