import { writeFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { storedReading } from '../../src/process/metrics/stored-reading.ts';
import { readStoredFile } from '../../src/domain/bank-file/read.ts';
import { statement } from '../support/bank-answers.ts';
import { useBankInbox } from '../support/bank-inbox.ts';
import { runProgram } from '../support/program.ts';
import { proposedChanges } from '../support/proposed-changes.ts';

const world = useBankInbox();

/** `npm run ops -- take-bank-file …` with the settings of the service. */
async function takeFile(...words: string[]) {
  return takeFileWith({}, ...words);
}

function takeFileWith(env: Readonly<Record<string, string>>, ...words: string[]) {
  return runProgram('src/ops.ts', ['take-bank-file', ...words], {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    DATABASE_URL: world.harness.database.url,
    ...env,
  });
}

async function write(name: string, content: string): Promise<string> {
  const path = join(dirname(world.out()), name);
  await writeFile(path, content);
  return path;
}

const content = statement({
  account: '000123456789',
  currency: 'USD',
  day: '2026-11-30',
  movements: [{ direction: 'debit', amount: '10.00', reference: 'A' }],
});

it('takes a file from the command line once, under any name, and has the worker read it', async () => {
  const { connection } = world.bank;
  await world.forgetJobs();
  const first = await takeFile(connection, await write('monday.xml', content));
  expect(first).toMatchObject({ status: 0, error: '' });
  const [fileId = ''] = first.out.split(':');
  expect(first.out).toBe(`${fileId}: stored; the worker reads it\n`);
  expect(await world.jobs('read_bank_file')).toMatchObject([{ payload: { fileId } }]);
  const again = await takeFile(connection, await write('copy.xml', content));
  expect(again.out).toBe(`${fileId}: the connection had it before\n`);
  expect(await world.sql('SELECT id, name, taken_by FROM bank_file')).toEqual([
    { id: fileId, name: 'monday.xml', taken_by: userInfo().username },
  ]);
  await readStoredFile(world.call, fileId);
  await world.apply(fileId);
  expect(await world.lines()).toMatchObject([{ match: 'unmatched', amount_minor: '1000' }]);
});

it('keeps a file of production until a second operator has confirmed it', async () => {
  const { connection } = world.bank;
  const { businessId, tenantId } = world.tenant;
  await world.forgetJobs();
  await world.sql('DELETE FROM tenant WHERE business_id = $1 AND id <> $2', [businessId, tenantId]);
  await world.sql(`UPDATE tenant SET environment = 'production' WHERE id = $1`, [tenantId]);
  const env = { OPERATOR_CONFIRMATION: 'second_person' };
  const path = await write('monday.xml', content);
  const first = await takeFileWith(env, connection, path);
  const [fileId = ''] = first.out.split(':');
  const waits = 'a second operator has to confirm it (operatorChangeAnswer)';
  expect(first).toMatchObject({ status: 0, error: '', out: `${fileId}: stored; ${waits}\n` });
  const again = await takeFileWith(env, connection, path);
  expect(again.out).toBe(`${fileId}: the connection had it before; ${waits}\n`);
  expect(await world.jobs('read_bank_file')).toEqual([]);
  const changes = await world.sql(
    `SELECT change_id, kind, proposed_by, after ->> 'name' AS name, digest FROM ops.changes_to_confirm`,
  );
  expect(changes).toMatchObject([
    { kind: 'bank_file_take', proposed_by: userInfo().username, name: 'monday.xml' },
  ]);
  const [{ change_id: changeId, digest }] = changes as [{ change_id: string; digest: string }];
  // The one who brought it has a key by the name of their login, too.
  const { pool } = world.harness.database;
  const own = await issueOperatorKey(pool, userInfo().username);
  const grace = await issueOperatorKey(pool, 'Grace');
  const { answer } = proposedChanges(world.harness);
  const refused = await answer(world.tenant, { changeId, digest }, own.key);
  expect(refused.body.errors[0].extensions.code).toBe('conflict');
  const done = await answer(world.tenant, { changeId, digest }, grace.key);
  expect(done.body.data.done).toMatchObject({ status: 'confirmed', changedId: fileId });
  expect(await world.jobs('read_bank_file')).toMatchObject([{ payload: { fileId } }]);
});

it('says what it lacks, and stores nothing', async () => {
  const { connection } = world.bank;
  const path = await write('monday.xml', content);
  const answers = [
    await takeFile('bcn_01k00000000000000000000000', path),
    await takeFile(connection),
    await takeFile(connection, join(dirname(path), 'nowhere.xml')),
    await takeFile(connection, dirname(path)),
  ];
  expect(answers.map(({ status }) => status)).toEqual([2, 2, 1, 1]);
  expect(answers.map(({ error }) => error.split('\n')[0])).toEqual([
    expect.stringContaining('There is no bank connection'),
    expect.stringContaining('takes a connection and a file'),
    expect.stringMatching(/^error: .*no such file/),
    expect.stringMatching(/^error: .*directory/),
  ]);
  expect(await world.sql('SELECT 1 FROM bank_file')).toEqual([]);
  expect(await takeFile('--help')).toMatchObject({ status: 0, error: '' });
});

it('counts for the alert what waits at the desk', async () => {
  await world.take(content);
  await world.take('<!DOCTYPE a><a/>');
  const metrics = await world.sql<{ metric: string; labels: string[]; value: number }>(
    storedReading.text,
  );
  const desk = metrics.filter(({ metric }) => metric === 'payouts_bank_desk');
  expect(desk.map(({ labels, value }) => [labels[0], value])).toEqual([
    ['unmatched', 1],
    ['stray_answer', 0],
    ['unreadable', 1],
    ['file_for_person', 0],
    ['file_not_sent', 0],
    ['file_not_made', 0],
    ['files_not_fetched', 0],
    ['debit_missing', 0],
  ]);
});
