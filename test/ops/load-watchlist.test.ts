import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { runProgram } from '../support/program.ts';
import { makeOperator, type Operator } from './support.ts';

let folder: string;
let database: TestDatabase;
let reader: Operator;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchlists-'));
  database = await testDatabase();
  reader = await makeOperator(database, 'ops_read');
});
afterAll(async () => {
  await reader.leave();
  await database.drop();
  await rm(folder, { recursive: true });
});
beforeEach(() => database.reset());

function load(...words: string[]) {
  return runProgram('src/ops.ts', ['load-watchlist', ...words], {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
  });
}

async function write(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const own = 'id,type,name\nB-1,person,Erika Mustermann\nB-2,business,Schrott GmbH\n';

it('loads a list from the command line, once, and shows it to operators', async () => {
  const path = await write('own.csv', own);
  const first = await load('own', path, '--date', '2026-08-21');
  expect(first).toMatchObject({ status: 0, error: '' });
  expect(first.out).toBe(
    'own: version 1 of 2026-08-21 has 2 entries with 2 names; 2 are new or changed, 0 are gone\n',
  );
  const again = await load('own', path, '--date', '2026-08-21');
  expect(again.out).toBe('own: the version of 2026-08-21 is loaded already\n');
  const shown = await reader.sql(
    `SELECT kind, status, entries, loaded_by FROM ops.watchlists ORDER BY started_at`,
  );
  const loaded_by = userInfo().username;
  expect(shown).toEqual([
    { kind: 'own', status: 'current', entries: 2, loaded_by },
    { kind: 'own', status: 'same', entries: null, loaded_by },
  ]);
});

it('refuses by name with the status 1, and takes fewer entries with a reason alone', async () => {
  const path = await write('own.csv', own);
  await load('own', path, '--date', '2026-08-21');
  const fewer = await write('fewer.csv', own.split('\n').slice(0, 2).join('\n'));
  const refused = await load('own', fewer, '--date', '2026-08-22');
  expect(refused.status).toBe(1);
  expect(refused.error).toContain('error: shrunk: The list has 1 entries; the loaded one has 2.');
  expect((await load('own', fewer, '--date', '2026-08-22', '--accept-fewer')).status).toBe(2);
  const taken = await load('own', fewer, '--date', '2026-08-22', '--accept-fewer', 'they paid');
  expect(taken).toMatchObject({ status: 0 });
  const { rows } = await database.pool.query(
    `SELECT status, problem_code, accepted_because FROM watchlist_version ORDER BY id`,
  );
  expect(rows).toEqual([
    { status: 'replaced', problem_code: null, accepted_because: null },
    { status: 'refused', problem_code: 'shrunk', accepted_because: null },
    { status: 'current', problem_code: null, accepted_because: 'they paid' },
  ]);
});

it("finds the other files of OFAC's CSV beside the list, and refuses it without them", async () => {
  const list = await write(
    'SDN.CSV',
    '36,"PETROV, Ivan","individual","TEST",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 1960."\r\n\u001a',
  );
  const alone = await load('ofac-sdn', list, '--date', '2026-08-21');
  expect(alone).toMatchObject({ status: 1 });
  expect(alone.error).toContain('missing_part');
  await write('ALT.CSV', '36,1,"aka","PETROFF, Vanya",-0- \r\n\u001a');
  await write('ADD.CSV', '36,1,-0- ,"Moscow","Russia",-0- \r\n\u001a');
  await write('SDN_COMMENTS.CSV', '\u001a');
  const whole = await load('ofac-sdn', list, '--date', '2026-08-21');
  expect(whole.out).toContain('1 entries with 2 names');
});

it('says what it takes', async () => {
  expect((await load('--help')).out).toContain('ofac-sdn, ofac-consolidated, eu, un, uk, own');
  expect(await load('own')).toMatchObject({ status: 2 });
  expect((await load('nato', 'x.csv')).error).toContain('There is no list nato.');
  expect((await load('own', join(folder, 'nothing.csv'))).error).toContain('ENOENT');
  const path = await write('own.csv', own);
  expect((await load('own', path, '--date', 'today')).error).toContain('--date is a day');
  expect((await load('own', path)).error).toContain('missing_date');
});
