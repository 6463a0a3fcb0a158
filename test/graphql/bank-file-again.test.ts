import { beforeEach, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { readFileAgain } from '../../src/domain/bank-file/read-again.ts';
import { readStoredFile } from '../../src/domain/bank-file/read.ts';
import { openReading, stageReports } from '../../src/domain/bank-file/stage-store.ts';
import { statement, type Movement } from '../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../support/bank-inbox.ts';
import { behind } from '../support/behind.ts';
import { makeTenant } from '../support/factory.ts';

const world = useBankInbox();
const { sent, stateOf, fileRow } = world;
let ada: string;
beforeEach(async () => {
  ada = (await issueOperatorKey(world.harness.database.pool, 'Ada')).key;
});

const shown = (movements: readonly Movement[], more: object = {}) =>
  statement({ account: '000123456789', currency: 'USD', day: '2026-11-30', movements, ...more });
const debitOf = ({ payout, attempt }: Sent): Movement => ({
  direction: 'debit',
  amount: '1250.00',
  payout,
  attempt,
});
const fee: Movement = { direction: 'debit', amount: '1.50', reference: 'F', code: 'MDOP CHRG' };

/** A file that an earlier version of its reader could not read. */
async function unreadable(content: string): Promise<string> {
  const { fileId } = await world.store(content);
  await world.sql(
    `UPDATE bank_file SET status = 'unreadable', problem = 'empty_file', problem_place = 'line 4', reading = 1,
       read_at = now() WHERE id = $1`,
    [fileId],
  );
  await world.forgetJobs();
  return fileId;
}

/** The file and its record, or the code of the refusal. */
async function again(fileId: string, more: object = {}, key = ada) {
  const given = { businessId: world.tenant.businessId, environment: 'sandbox', fileId, ...more };
  const { body } = await world.harness.graphql(
    key,
    `mutation ($businessId: ID!, $environment: Environment!, $fileId: ID!, $reason: String!) {
      operatorBankFileReadAgain(businessId: $businessId, environment: $environment, fileId: $fileId, reason: $reason) {
        fileId actionId
      } }`,
    { reason: 'version 2.4 reads it', ...given },
  );
  return body.errors === undefined
    ? body.data.operatorBankFileReadAgain
    : body.errors[0].extensions.code;
}

const log = () =>
  world.sql<{ id: string }>(
    `SELECT id, action, subject_id, reason FROM ops.action_log WHERE action = 'read_bank_file_again'`,
  );
const booked = () => world.sql(`SELECT kind, amount_minor FROM ledger_entry WHERE kind = 'fee'`);

/** What the business sees of a file. */
async function seen(fileId: string) {
  const { body } = await world.harness.graphql(
    world.tenant.key,
    '{ bankReconciliationFiles { edges { node { id status problem sizeBytes receivedAt appliedAt } } } }',
  );
  const nodes = body.data.bankReconciliationFiles.edges as { node: Record<string, unknown> }[];
  return nodes.map(({ node }) => node).find(({ id }) => id === fileId);
}

it('says which times and which length are of its arrival, and which of its latest reading', async () => {
  const [one] = (await sent(1)) as [Sent];
  const file = await unreadable(shown([debitOf(one)]));
  const arrived = await seen(file);
  expect(arrived).toMatchObject({ status: 'unreadable', problem: 'empty_file', appliedAt: null });
  await again(file);
  const waits = { ...arrived, status: 'received', problem: null };
  expect(await seen(file)).toEqual(waits);
  await readStoredFile(world.call, file);
  expect(await seen(file)).toEqual({ ...waits, status: 'read' });
  await world.apply(file);
  expect(await seen(file)).toEqual({
    ...waits,
    status: 'read',
    appliedAt: expect.any(String) as unknown,
  });

  const { body } = await world.harness.graphql(
    world.tenant.key,
    '{ __type(name: "BankFile") { fields { name description } } }',
  );
  const fields = body.data.__type.fields as { name: string; description: string }[];
  const about = (name: string) => fields.find((field) => field.name === name)?.description;
  expect(about('receivedAt')).toContain('first arrived');
  for (const name of ['appliedAt', 'problem', 'format']) {
    expect(about(name), name).toContain('latest reading');
  }
  const [comment] = await world.sql<{ text: string }>(
    `SELECT obj_description('ops.bank_files'::regclass) AS text`,
  );
  expect(comment?.text).toContain('of its latest reading');
});

it('reads a file whose reader is mended, with a record, and once', async () => {
  const [one] = (await sent(1)) as [Sent];
  const file = await unreadable(shown([debitOf(one)]));
  const done = await again(file);
  expect(done).toMatchObject({ fileId: file });
  expect(await fileRow(file)).toMatchObject({
    status: 'received',
    problem: null,
    problem_place: null,
    read_at: null,
  });
  expect(await world.jobs('read_bank_file')).toMatchObject([{ payload: { fileId: file } }]);
  expect(await log()).toEqual([
    {
      id: done.actionId,
      action: 'read_bank_file_again',
      subject_id: file,
      reason: 'version 2.4 reads it',
    },
  ]);
  expect(await world.sql('SELECT action, subject_id, detail FROM operator_action')).toMatchObject([
    {
      action: 'operatorBankFileReadAgain',
      subject_id: file,
      detail: { action_id: done.actionId },
    },
  ]);
  await readStoredFile(world.call, file);
  await world.apply(file);
  expect(await fileRow(file)).toMatchObject({ status: 'read' });
  expect(await stateOf(one.payout)).toBe('disbursed');
  // A replay finds a file that is read.
  expect(await again(file)).toBe('conflict');
  expect(await log()).toHaveLength(1);
});

it('keeps a file that still cannot be read with the new problem', async () => {
  const file = await unreadable('<?xml version="1.0"?><!DOCTYPE a><a/>');
  await again(file);
  await readStoredFile(world.call, file);
  expect(await fileRow(file)).toMatchObject({ status: 'unreadable', problem: 'doctype' });
  expect(await again(file)).toMatchObject({ fileId: file });
});

it('refuses what cannot be read again, and keeps no record of it', async () => {
  const { fileId: received } = await world.store(shown([]));
  expect(await again(received)).toBe('conflict');
  await readStoredFile(world.call, received);
  expect(await again(received)).toBe('conflict');
  const file = await unreadable(shown([fee]));
  expect(await again('bfl_01k00000000000000000000000')).toBe('not_found');
  expect(await again('nonsense')).toBe('not_found');
  expect(await again(file, { environment: 'production' })).toBe('not_found');
  const other = await makeTenant(world.harness);
  expect(await again(file, { businessId: other.businessId })).toBe('not_found');
  expect(await again(file, { reason: ' ' })).toBe('validation_failed');
  expect(await again(file, {}, world.tenant.key)).toBe('forbidden');
  expect(await fileRow(file)).toMatchObject({ status: 'unreadable', problem_place: 'line 4' });
  expect(await log()).toEqual([]);
  expect(await world.sql('SELECT 1 FROM operator_action')).toEqual([]);
  expect(await world.jobs('read_bank_file')).toEqual([]);
});

it('reads a file once that two people want read at the same moment', async () => {
  const file = await unreadable(shown([fee]));
  const second = await behind(
    world.call.services.pool,
    (client) => readFileAgain(client, world.call.scope, file),
    () => again(file),
  );
  expect(second).toBe('conflict');
  expect(await world.jobs('read_bank_file')).toHaveLength(1);
  expect(await log()).toEqual([]);
});

it('takes nothing from a run that still reads when a later one has begun or has ended', async () => {
  const [one] = (await sent(1)) as [Sent];
  const file = await unreadable(shown([fee]));
  await again(file);
  const { pool } = world.call.services;
  const stale = await openReading(pool, world.call.scope, file);
  if (stale === null) throw new Error('the file is to be read');
  const report = {
    kind: 'return',
    line: 1,
    form: 'return',
    code: 'R03',
    traceNumber: one.trace ?? '',
    ownTraceNumber: '231380100000001',
    companyId: null,
    amountMinor: '125000',
    madeOn: null,
  } as const;
  const stageLate = () => stageReports(pool, world.call.scope, stale, 0, [report]);
  const staged = () => world.sql('SELECT kind FROM bank_report');
  await openReading(pool, world.call.scope, file);
  await stageLate();
  expect(await staged()).toEqual([]);
  await readStoredFile(world.call, file);
  await stageLate();
  expect(await staged()).toEqual([]);
  // What was staged just before the later run began is of no account either.
  await world.sql(
    `INSERT INTO bank_report (tenant_id, file_id, reading, position, kind, report) VALUES ($1, $2, $3, 1, 'return', $4)`,
    [world.tenant.tenantId, file, stale.reading, JSON.stringify(report)],
  );
  await world.apply(file);
  expect(await stateOf(one.payout)).toBe('approved');
  expect(await staged()).toEqual([]);
});

it('books nothing twice of a file that is read twice, or whose movements another file told before', async () => {
  const [one] = (await sent(1)) as [Sent];
  const movements = [debitOf(one), fee];
  const file = await unreadable(shown(movements));
  await world.take(shown(movements, { id: 'the same, sent again' }));
  expect(await stateOf(one.payout)).toBe('disbursed');
  const before = [await world.lines(), await booked()];
  expect(before[1]).toHaveLength(1);
  await again(file);
  await Promise.all([readStoredFile(world.call, file), readStoredFile(world.call, file)]);
  await readStoredFile(world.call, file);
  await world.apply(file);
  expect([await world.lines(), await booked()]).toEqual(before);
  expect(await world.contradictions()).toEqual([]);
  expect(await fileRow(file)).toMatchObject({ status: 'read' });
});

it('is ordered from SQL, with the next step that says so', async () => {
  const file = await unreadable(shown([fee]));
  const [row] = await world.sql<{ next_step: string }>(
    'SELECT next_step FROM ops.bank_files WHERE file_id = $1',
    [file],
  );
  expect(row?.next_step).toContain(`ops.read_bank_file_again('${file}'`);
  const order = (id: string) =>
    world.sql('SELECT ops.read_bank_file_again($1, $2)', [id, 'mended']);
  await order(file);
  expect(await fileRow(file)).toMatchObject({ status: 'received', problem: null });
  expect(await world.jobs('read_bank_file')).toMatchObject([{ payload: { fileId: file } }]);
  await expect(order(file)).rejects.toThrow('is neither one that cannot be read');
  await expect(order('bfl_01k00000000000000000000000')).rejects.toThrow('There is no bank file');
  expect(await log()).toHaveLength(1);
});
