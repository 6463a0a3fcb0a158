import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PoolClient } from 'pg';
import { beforeEach, expect, it } from 'vitest';
import { issueOperatorKey } from '../../../src/access/operator-key.ts';
import { inTransaction, rows, type Statement } from '../../../src/db/pool.ts';
import { beginPublishing, beginStaging } from '../../../src/domain/bank-batch/send-store.ts';
import { sweepBankBatches } from '../../../src/domain/bank-batch/sweep.ts';
import { changeConnection } from '../../../src/domain/bank-connection/change.ts';
import { storedReading } from '../../../src/process/metrics/stored-reading.ts';
import { behind } from '../../support/behind.ts';
import { useBankWorld } from '../../support/bank-world.ts';

/* Who brings a file to its bank when the connection gets another transport: never a person and a machine. */

const world = useBankWorld();

let ada: string;
let ben: string;
beforeEach(async () => {
  const { pool } = world.harness.database;
  ada = (await issueOperatorKey(pool, 'Ada')).key;
  ben = (await issueOperatorKey(pool, 'Ben')).key;
});

const ways = {
  manual: { kind: 'manual' },
  folder: { kind: 'folder', folder: 'a-bank' },
} as const;

/** A batch that is closed while its connection has this transport. */
async function closed(transport: 'folder' | 'manual'): Promise<string> {
  world.bank.connection = await world.connect({ transport });
  await world.routeTo(world.bank.connection);
  await world.waiting();
  await world.close();
  await world.forgetJobs();
  const [batch] = await world.batches();
  if (batch === undefined) throw new Error('no batch was made');
  return batch.id;
}

async function changeIn(client: PoolClient, transport: 'folder' | 'manual'): Promise<void> {
  const id = world.bank.connection;
  const text = 'SELECT version FROM bank_connection WHERE id = $1';
  const [seen] = await world.sql<{ version: number }>(text, [id]);
  await changeConnection(client, world.call, id, seen?.version ?? 0, {
    transport: ways[transport],
  });
}
const change = (transport: 'folder' | 'manual') =>
  inTransaction(world.call.services.pool, (client) => changeIn(client, transport));

/** `done`, or the code of the refusal. */
async function mutate(key: string, field: string, batchId: string, more = ''): Promise<string> {
  const given = `businessId: "${world.tenant.businessId}", environment: sandbox, batchId: "${batchId}", reason: "x"`;
  const text = `mutation { ${field}(${given}${more}) { batchId } }`;
  const { body } = await world.harness.graphql(key, text);
  return body.errors === undefined ? 'done' : body.errors[0].extensions.code;
}
const download = (batchId: string) => mutate(ada, 'operatorBankBatchDownload', batchId);
const uploaded = (batchId: string) => mutate(ben, 'operatorBankBatchUploaded', batchId);
const noted: Statement = {
  name: 'test_download',
  text: `SELECT ops.note_bank_batch($1, $2, 'download', 'ada')`,
};
const noteDownload = (client: PoolClient, batchId: string) =>
  rows(client, noted, [world.tenant.tenantId, batchId]);

const now = async () => (await world.batches())[0];
const files = () => readdir(world.out());

/** The jobs that a sweep adds for batches. */
async function swept(): Promise<unknown[]> {
  await world.forgetJobs();
  await sweepBankBatches(world.call.services);
  return world.jobs('send_bank_batch');
}

/** People have it, and no worker does anything about it. */
async function expectLeftToPeople(id: string): Promise<void> {
  expect(await swept()).toEqual([]);
  await world.send(id);
  expect(await files()).toEqual([]);
  expect(await now()).toMatchObject({ needs_operator: true, taken_at: null });
  const metrics = await world.sql<{ metric: string }>(storedReading.text);
  expect(metrics).toContainEqual(
    expect.objectContaining({ labels: ['file_for_person'], value: 1 }),
  );
}

async function expectSentByWorker(id: string): Promise<void> {
  expect(await swept()).toMatchObject([{ payload: { batchId: id } }]);
  await world.send(id);
  expect(await now()).toMatchObject({ status: 'sent', needs_operator: false });
  expect(await files()).toHaveLength(1);
}

it('sends a closed file by machine once its connection has a way for one', async () => {
  const id = await closed('manual');
  await expectLeftToPeople(id);
  await change('folder');
  expect(await download(id)).toBe('conflict');
  await expectSentByWorker(id);
});

it('leaves a closed file to people once nothing else goes to its bank', async () => {
  const id = await closed('folder');
  await world.sql(`UPDATE bank_batch SET problem = 'the folder is away'`);
  await change('manual');
  await expectLeftToPeople(id);
  expect(await now()).toMatchObject({ status: 'closed', problem: null });
  expect(await download(id)).toBe('done');
  expect(await uploaded(id)).toBe('done');
  expect(await now()).toMatchObject({ status: 'sent', needs_operator: false });
});

it('follows the transport there and back while nobody has begun to bring the file', async () => {
  const id = await closed('manual');
  await change('folder');
  await change('manual');
  await expectLeftToPeople(id);
  await change('folder');
  await expectSentByWorker(id);
});

it('leaves a file that somebody downloaded to people, whatever its connection becomes', async () => {
  const id = await closed('manual');
  expect(await download(id)).toBe('done');
  await change('folder');
  await expectLeftToPeople(id);
  const [row] = await world.sql<{ next_step: string }>('SELECT next_step FROM ops.bank_batches');
  expect(row?.next_step).toContain('ops.record_bank_upload');
  expect(await download(id)).toBe('done');
  expect(await mutate(ada, 'operatorBankBatchUploaded', id)).toBe('conflict');
  expect(await uploaded(id)).toBe('done');
  await world.send(id);
  expect(await now()).toMatchObject({ status: 'sent', uploaded_by: 'ben' });
  expect(await files()).toEqual([]);
});

it('gives a downloaded file to people again when two of them found that the bank has not got it', async () => {
  const id = await closed('manual');
  await download(id);
  await change('folder');
  await world.sql(`UPDATE bank_batch SET status = 'unknown', needs_operator = true`);
  const notSent = ', outcome: not_sent, evidence: "ticket 4711"';
  await mutate(ada, 'operatorBankBatchResolve', id, notSent);
  await mutate(ben, 'operatorBankBatchResolve', id, notSent);
  expect(await now()).toMatchObject({ status: 'closed' });
  await expectLeftToPeople(id);
  expect(await download(id)).toBe('done');
});

it('begins no file that somebody downloaded, whatever else is noted of it', async () => {
  const id = await closed('folder');
  await world.sql(`UPDATE bank_batch SET downloaded_by = '{ada}', needs_operator = false`);
  const { pool } = world.call.services;
  expect(await beginStaging(pool, world.call.scope, id)).toBeNull();
  expect(await beginPublishing(pool, world.call.scope, id, 0)).toBe(false);
  await world.send(id);
  expect(await files()).toEqual([]);
});

it('refuses a download that waits for the change to a machine', async () => {
  const id = await closed('manual');
  const refused = await behind(
    world.call.services.pool,
    (client) => changeIn(client, 'folder'),
    () => download(id),
  );
  expect(refused).toBe('conflict');
  await expectSentByWorker(id);
});

it('leaves a file to people whose download the change waits for', async () => {
  const id = await closed('manual');
  await behind(
    world.call.services.pool,
    (client) => noteDownload(client, id),
    () => change('folder'),
  );
  expect(await now()).toMatchObject({ status: 'sending', downloaded_by: ['ada'] });
  await expectLeftToPeople(id);
  expect(await uploaded(id)).toBe('done');
});

it('publishes nothing that a worker has staged when the file becomes one for people', async () => {
  const id = await closed('folder');
  const { pool } = world.call.services;
  const staging = (await beginStaging(pool, world.call.scope, id)) ?? 0;
  const marked = await behind(
    pool,
    (client) => changeIn(client, 'manual'),
    () => beginPublishing(pool, world.call.scope, id, staging),
  );
  expect(marked).toBe(false);
  await expectLeftToPeople(id);
  expect(await download(id)).toBe('done');
});

it('gives nobody a file that a worker marked before the change, also if the worker dies then', async () => {
  const id = await closed('folder');
  const { pool } = world.call.services;
  const staging = (await beginStaging(pool, world.call.scope, id)) ?? 0;
  await behind(
    pool,
    (client) => beginPublishing(client, world.call.scope, id, staging),
    () => change('manual'),
  );
  expect(await now()).toMatchObject({ status: 'sending', needs_operator: false });
  expect(await download(id)).toBe('conflict');
  expect(await swept()).toMatchObject([{ payload: { batchId: id } }]);
  await world.send(id);
  expect(await now()).toMatchObject({ status: 'unknown', needs_operator: true });
  expect(await download(id)).toBe('conflict');
});

it('leaves a file that closes behind the change to whom the new transport says', async () => {
  await world.waiting();
  await behind(
    world.call.services.pool,
    (client) => changeIn(client, 'manual'),
    () => world.close(),
  );
  const batch = await now();
  expect(batch).toMatchObject({ status: 'closed', needs_operator: true });
  expect(await download(batch?.id ?? '')).toBe('done');
});

it('mends what changes of connections left behind before the rule', async () => {
  const id = await closed('manual');
  await world.sql(`UPDATE bank_connection SET transport = 'folder'`);
  const migration = join(
    import.meta.dirname,
    '../../../prisma/migrations/20261122204000_bank_batches_by_hand/migration.sql',
  );
  const mend = await readFile(migration, 'utf8');
  await world.sql(mend);
  await expectSentByWorker(id);
  await world.sql(
    `UPDATE bank_batch SET status = 'sending', downloaded_by = '{ada}', sent_at = NULL, taken_at = NULL`,
  );
  await world.sql(mend);
  expect(await now()).toMatchObject({ status: 'sending', needs_operator: true });
});
