import { beforeEach, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { readStoredFile } from '../../src/domain/bank-file/read.ts';
import { storedReading } from '../../src/process/metrics/stored-reading.ts';
import { newId } from '../../src/values/ids.ts';
import { useBankInbox } from '../support/bank-inbox.ts';
import { makeTenant } from '../support/factory.ts';

/* Files of kinds that nobody reads here: they say what they are, and leave the desk. */

const world = useBankInbox();
let ada: string;
beforeEach(async () => {
  ada = (await issueOperatorKey(world.harness.database.pool, 'Ada')).key;
});

const interim =
  '<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.052.001.08"><BkToCstmrAcctRpt/></Document>';
const document = '%PDF-1.7 a statement on paper';

async function arrived(content: string, connection?: string): Promise<string> {
  const { fileId } = await world.store(content, connection);
  await readStoredFile(world.call, fileId);
  return fileId;
}

/** The file and its record, or the code of the refusal. */
async function dismiss(fileId: string, more: object = {}, key = ada) {
  const given = { businessId: world.tenant.businessId, environment: 'sandbox', fileId };
  const { body } = await world.harness.graphql(
    key,
    `mutation ($businessId: ID!, $environment: Environment!, $fileId: ID!, $explanation: String!, $reason: String!) {
      operatorBankFileDismiss(businessId: $businessId, environment: $environment, fileId: $fileId,
        explanation: $explanation, reason: $reason) { fileId actionId } }`,
    { explanation: 'The statement on paper', reason: 'the camt.053 came', ...given, ...more },
  );
  return body.errors === undefined
    ? body.data.operatorBankFileDismiss
    : body.errors[0].extensions.code;
}

const log = () =>
  world.sql(
    `SELECT subject_id, reason, detail FROM ops.action_log WHERE action = 'dismiss_bank_file' ORDER BY subject_id`,
  );

async function unreadable(): Promise<number | undefined> {
  const metrics = await world.sql<{ labels: string[]; value: string }>(storedReading.text);
  const found = metrics.find(({ labels }) => labels[0] === 'unreadable');
  return found === undefined ? undefined : Number(found.value);
}

it('says which message it refused, and takes the file off the desk once, with what it is', async () => {
  const file = await arrived(interim);
  expect(await world.fileRow(file)).toMatchObject({
    status: 'unreadable',
    problem: 'unknown_message',
    format: 'camt.052.001.08',
  });
  const list = `{ operatorBankUnreadableFiles { edges { node { fileId format problem } } } }`;
  const { body } = await world.harness.graphql(ada, list);
  expect(body.data.operatorBankUnreadableFiles.edges).toEqual([
    { node: { fileId: file, format: 'camt.052.001.08', problem: 'unknown_message' } },
  ]);
  expect(await unreadable()).toBe(1);
  const done = await dismiss(file);
  expect(done).toMatchObject({ fileId: file });
  expect(await world.fileRow(file)).toMatchObject({
    status: 'dismissed',
    explanation: 'The statement on paper',
    action_id: done.actionId,
  });
  expect(await log()).toEqual([
    {
      subject_id: file,
      reason: 'the camt.053 came',
      detail: { explanation: 'The statement on paper' },
    },
  ]);
  expect(
    (await world.harness.graphql(ada, list)).body.data.operatorBankUnreadableFiles.edges,
  ).toEqual([]);
  expect(await unreadable()).toBe(0);
  expect(await dismiss(file)).toBe('conflict');
  expect(await log()).toHaveLength(1);
});

it('refuses whatever is no such file, and whoever is no operator', async () => {
  const file = await arrived(document);
  const other = await makeTenant(world.harness);
  expect(await dismiss(newId('bankFile'))).toBe('not_found');
  expect(await dismiss('x')).toBe('not_found');
  expect(await dismiss(file, { businessId: other.businessId })).toBe('not_found');
  expect(await dismiss(file, { environment: 'production' })).toBe('not_found');
  expect(await dismiss(file, { explanation: ' ' })).toBe('validation_failed');
  expect(await dismiss(file, {}, world.tenant.key)).toBe('forbidden');
  expect(await world.fileRow(file)).toMatchObject({ status: 'unreadable', format: 'pdf' });
  expect(await log()).toEqual([]);
});

it('is done in SQL by the same rules', async () => {
  const file = await arrived(document);
  const order = (id: string) =>
    world.sql('SELECT ops.dismiss_bank_file($1, $2, $3)', [id, 'paper', 'not needed']);
  await order(file);
  expect(await world.fileRow(file)).toMatchObject({ status: 'dismissed', explanation: 'paper' });
  await expect(order(file)).rejects.toThrow('is dismissed');
  await expect(order(newId('bankFile'))).rejects.toThrow('There is no bank file');
  const [row] = await world.sql<{ next_step: string | null }>(
    'SELECT next_step FROM ops.bank_files WHERE file_id = $1',
    [file],
  );
  expect(row?.next_step).toBeNull();
});

it('comes to nobody where the connection expects such files', async () => {
  const connection = await world.connect({ expectedFormats: ['camt_052', 'mt940'] });
  const expected = await arrived(interim, connection);
  const strange = await arrived(document, connection);
  const broken = await arrived(interim.replace('camt.052.001.08', 'camt.053.001.08'), connection);
  expect(await world.fileRow(expected)).toMatchObject({
    status: 'dismissed',
    problem: 'unknown_message',
    format: 'camt.052.001.08',
    explanation: null,
  });
  expect(await world.fileRow(strange)).toMatchObject({ status: 'unreadable' });
  expect(await world.fileRow(broken)).toMatchObject({ status: 'unreadable' });
  expect(await unreadable()).toBe(2);
});
