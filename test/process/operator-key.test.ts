import { hostname, userInfo } from 'node:os';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseKey } from '../../src/access/key.ts';
import { newId } from '../../src/values/ids.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { runProgram, type Ended } from '../support/program.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

function run(
  args: string[],
  url: string | null = database.ownerUrl,
  program = 'operator-key.ts',
): Promise<Ended> {
  const env: Record<string, string> =
    url === null ? {} : { DATABASE_URL: database.url, MIGRATION_DATABASE_URL: url };
  return runProgram(`src/${program}`, args, env);
}

async function stored(): Promise<Record<string, unknown>[]> {
  return (await database.pool.query('SELECT * FROM operator_key ORDER BY id')).rows;
}

const runUser = (...args: string[]) => run(args, database.ownerUrl, 'operator-user.ts');

/** What the log has of these operators and keys. */
async function logged(...ids: string[]): Promise<unknown[]> {
  const { rows } = await database.pool.query(
    `SELECT who, action, subject_id, detail, affected FROM ops.action_log
     WHERE subject_id = ANY ($1) ORDER BY id`,
    [ids],
  );
  return rows;
}

const owner = () => new URL(database.ownerUrl).username;
const line = (action: string, subject: string, more: object = {}) => ({
  who: owner(),
  action,
  subject_id: subject,
  detail: { ...more, system_user: userInfo().username, host: hostname() },
  affected: 1,
});

test('makes a key, prints it once, keeps its hash, and revokes it', async () => {
  const made = await run(['--name', 'Ada, on call']);
  expect(made.status).toBe(0);
  const parsed = parseKey(made.out.trim());
  expect(parsed?.kind).toBe('operator');
  expect(made.error).not.toContain('pos_operator_');
  const id = parsed?.keyId ?? '';
  expect(await stored()).toEqual([
    expect.objectContaining({ id, name: 'Ada, on call', revoked_at: null }),
  ]);
  expect((await stored())[0]?.['secret_hash']).toEqual(parsed?.secretHash);

  const revoked = await run(['--revoke', id]);
  expect(revoked).toMatchObject({ status: 0, error: '' });
  expect(revoked.out).toContain(id);
  expect((await stored())[0]?.['revoked_at']).toBeInstanceOf(Date);
  expect((await run(['--revoke', id])).out).toBe(revoked.out);

  expect(await logged(id)).toEqual([
    line('make_operator_key', id, { name: 'Ada, on call' }),
    line('revoke_operator_key', id),
  ]);
});

test('logs who lets an operator in, names them anew, and ends that', async () => {
  const made = await runUser('--name', 'Mallory', 'mallory@example.com');
  const id = made.out.split(' ')[0] ?? '';
  for (const args of [
    ['--name', 'Mallory M.', 'Mallory@example.com'],
    ['--revoke', 'mallory@example.com'],
    ['--revoke', 'mallory@example.com'],
    ['--name', 'Mallory', 'mallory@example.com'],
  ]) {
    expect(await runUser(...args)).toMatchObject({ status: 0, error: '' });
  }
  expect(await logged(id)).toEqual([
    line('add_operator', id, { name: 'Mallory' }),
    line('add_operator', id, { name: 'Mallory M.' }),
    line('revoke_operator', id),
    line('add_operator', id, { name: 'Mallory' }),
  ]);
  await database.pool.query('DELETE FROM operator_user');
});

test('changes nothing that it cannot log', async () => {
  const key = parseKey((await run(['--name', 'Ada'])).out.trim())?.keyId ?? '';
  await runUser('--name', 'Ada', 'ada@example.com');
  const { pool } = database;
  const users = async () => (await pool.query('SELECT * FROM operator_user')).rows;
  const before = [await stored(), await users()];
  await pool.query('ALTER TABLE ops.action_log ADD CONSTRAINT full_log CHECK (false) NOT VALID');
  try {
    const answers = [
      await run(['--name', 'Eve']),
      await run(['--revoke', key]),
      await runUser('--name', 'Eve', 'eve@example.com'),
      await runUser('--revoke', 'ada@example.com'),
    ];
    expect(answers.map(({ status, out }) => ({ status, out }))).toEqual(
      answers.map(() => ({ status: 1, out: '' })),
    );
  } finally {
    await pool.query('ALTER TABLE ops.action_log DROP CONSTRAINT full_log');
  }
  expect([await stored(), await users()]).toEqual(before);
  await pool.query('DELETE FROM operator_user');
});

test('says what it takes, and fails, for anything else', async () => {
  const before = await stored();
  const id = newId('operatorKey');
  const wrong = [
    [],
    ['--name', ' '],
    ['--revoke', 'key_1'],
    ['--name', 'x', '--revoke', id],
    ['x'],
  ];
  for (const args of wrong) {
    const answer = await run(args);
    expect(answer.status).toBe(1);
    expect(answer.error).toContain('npm run operator-key');
  }
  const unknown = await run(['--revoke', id]);
  expect(unknown).toMatchObject({ status: 1, error: `There is no key ${id}.\n` });
  const nowhere = await run(['--name', 'x'], null);
  expect(nowhere.status).toBe(1);
  expect(nowhere.error).toContain('DATABASE_URL');
  expect(await stored()).toEqual(before);
});

test("the service's own login compares no books, and is told which one does", async () => {
  const answer = await runProgram('tools/verify/main.ts', [], { DATABASE_URL: database.url });
  expect(answer).toMatchObject({ status: 2, out: '' });
  expect(answer.error).toContain('the login of the role that owns the tables');
  expect(answer.error).toContain('Set MIGRATION_DATABASE_URL');
});

test.each([
  ['operator-key', ['--name', 'Eve']],
  ['operator-user', ['--name', 'Eve', 'eve@example.com']],
])("the service's own login makes no operator: %s", async (command, args) => {
  const before = await stored();
  const service = { DATABASE_URL: database.url };
  const answer = await runProgram(`src/${command}.ts`, args, service);
  expect(answer).toMatchObject({ status: 1, out: '' });
  expect(answer.error).toContain('Set MIGRATION_DATABASE_URL');
  expect(await stored()).toEqual(before);
  expect((await database.pool.query('SELECT id FROM operator_user')).rows).toEqual([]);
});
