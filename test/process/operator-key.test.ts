import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseKey } from '../../src/access/key.ts';
import { newId } from '../../src/values/ids.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database.drop());

const programs = join(import.meta.dirname, '../../src');

interface Run {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
}

function run(args: string[], url: string | null = database.ownerUrl): Promise<Run> {
  const env: Record<string, string> =
    url === null ? {} : { DATABASE_URL: database.url, MIGRATION_DATABASE_URL: url };
  return runProgram(join(programs, 'operator-key.ts'), args, env);
}

function runProgram(program: string, args: string[], env: Record<string, string>): Promise<Run> {
  const child = spawn(process.execPath, [program, ...args], { env });
  const read = { out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => (read.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (read.error += chunk.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...read }));
  });
}

async function stored(): Promise<Record<string, unknown>[]> {
  return (await database.pool.query('SELECT * FROM operator_key ORDER BY id')).rows;
}

test('makes a key, prints it once, keeps its hash, and revokes it', async () => {
  const made = await run(['--name', 'Ada, on call']);
  expect(made.code).toBe(0);
  const parsed = parseKey(made.out.trim());
  expect(parsed?.kind).toBe('operator');
  expect(made.error).not.toContain('pos_operator_');
  const id = parsed?.keyId ?? '';
  expect(await stored()).toEqual([
    expect.objectContaining({ id, name: 'Ada, on call', revoked_at: null }),
  ]);
  expect((await stored())[0]?.['secret_hash']).toEqual(parsed?.secretHash);

  const revoked = await run(['--revoke', id]);
  expect(revoked).toMatchObject({ code: 0, error: '' });
  expect(revoked.out).toContain(id);
  expect((await stored())[0]?.['revoked_at']).toBeInstanceOf(Date);
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
    expect(answer.code).toBe(1);
    expect(answer.error).toContain('npm run operator-key');
  }
  const unknown = await run(['--revoke', id]);
  expect(unknown).toMatchObject({ code: 1, error: `There is no key ${id}.\n` });
  const nowhere = await run(['--name', 'x'], null);
  expect(nowhere.code).toBe(1);
  expect(nowhere.error).toContain('DATABASE_URL');
  expect(await stored()).toEqual(before);
});

test.each([
  ['operator-key', ['--name', 'Eve']],
  ['operator-user', ['--name', 'Eve', 'eve@example.com']],
])("the service's own login makes no operator: %s", async (command, args) => {
  const before = await stored();
  const service = { DATABASE_URL: database.url };
  const answer = await runProgram(join(programs, `${command}.ts`), args, service);
  expect(answer).toMatchObject({ code: 1, out: '' });
  expect(answer.error).toContain('Set MIGRATION_DATABASE_URL');
  expect(await stored()).toEqual(before);
  expect((await database.pool.query('SELECT id FROM operator_user')).rows).toEqual([]);
});
