import { createHash } from 'node:crypto';
import { beforeEach, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { addOperatorUser } from '../../src/access/operator-user.ts';
import { sendBankBatch } from '../../src/domain/bank-batch/send.ts';
import { makeOperator } from '../ops/support.ts';
import { makeTenant } from '../support/factory.ts';
import { useBankWorld } from '../support/bank-world.ts';
import { sessionOf } from '../support/sessions.ts';

const world = useBankWorld();
let ada: string;
let ben: string;
beforeEach(async () => {
  const { pool } = world.harness.database;
  ada = (await issueOperatorKey(pool, 'Ada')).key;
  ben = (await issueOperatorKey(pool, 'Ben')).key;
});

const argumentsOf = (batchId: string) =>
  `businessId: "${world.tenant.businessId}", environment: sandbox, batchId: "${batchId}", reason: "evening file"`;

// The shape is what each test asserts.
// oxlint-disable-next-line typescript/no-explicit-any
async function mutate(key: string, field: string, more = '', batchId = ''): Promise<any> {
  const selection = field.endsWith('Download')
    ? '{ batchId fileName sha256 contentBase64 }'
    : '{ batchId status awaitsSecondPerson }';
  const text = `mutation { ${field}(${argumentsOf(batchId)}${more}) ${selection} }`;
  const { body } = await world.harness.graphql(key, text);
  return body.data?.[field] ?? body.errors[0].extensions.code;
}

async function byHand(): Promise<string> {
  world.bank.connection = await world.connect({ transport: 'manual' });
  // A sandbox has no manual bank, so the connection is told apart by its row alone.
  await world.routeTo(world.bank.connection);
  await world.waiting();
  await world.close();
  const [batch] = await world.batches();
  if (batch === undefined) throw new Error('no batch was made');
  return batch.id;
}

/** A file of which nobody knows whether the bank has it. */
async function unknown(): Promise<{ id: string; payout: string }> {
  const payout = await world.waiting();
  await world.close();
  const [batch] = await world.batches();
  if (batch === undefined) throw new Error('no batch was made');
  await world.sql(`UPDATE bank_batch SET status = 'sending', stagings = 1`);
  await sendBankBatch(world.call, batch.id);
  return { id: batch.id, payout };
}

/** The lines of ops.action_log, where what operators do over GraphQL and in SQL stands together. */
const logged = async (): Promise<string[]> => {
  const lines = await world.sql<{ line: string }>(
    `SELECT action || ' ' || subject_id || ': ' || reason AS line FROM ops.action_log
     WHERE NOT starts_with(subject_id, 'opk_') ORDER BY id`,
  );
  return lines.map(({ line }) => line);
};

it('gives a file to one person, and takes the word of another that it was uploaded', async () => {
  const id = await byHand();
  expect(await mutate(ben, 'operatorBankBatchUploaded', '', id)).toBe('conflict');
  const file = await mutate(ada, 'operatorBankBatchDownload', '', id);
  const content = Buffer.from(file.contentBase64, 'base64');
  expect(createHash('sha256').update(content).digest('hex')).toBe(file.sha256);
  expect(file.fileName).toMatch(/^nacha-bbt_[a-z0-9]+\.ach$/);
  expect(await mutate(ada, 'operatorBankBatchDownload', '', id)).toEqual(file);
  expect(await mutate(ada, 'operatorBankBatchUploaded', '', id)).toBe('conflict');
  expect(await world.batches()).toMatchObject([{ status: 'sending', downloaded_by: ['ada'] }]);
  expect(await mutate(ben, 'operatorBankBatchUploaded', '', id)).toEqual({
    batchId: id,
    status: 'sent',
    awaitsSecondPerson: false,
  });
  expect(await mutate(ben, 'operatorBankBatchUploaded', '', id)).toBe('conflict');
  expect(await world.batches()).toMatchObject([{ status: 'sent', uploaded_by: 'ben' }]);
  await world.send(id);
  const [attempt] = await world.sql('SELECT status FROM disbursement_attempt');
  expect(attempt).toEqual({ status: 'submitted' });
  const actions = await world.sql('SELECT action FROM operator_action ORDER BY id');
  expect(actions.map(({ action }) => action)).toEqual([
    'operatorBankBatchDownload',
    'operatorBankBatchDownload',
    'operatorBankBatchUploaded',
  ]);
  expect(await logged()).toEqual(
    actions.map(({ action }) => `${String(action)} ${id}: evening file`),
  );
});

it('tells whoever is refused what to do instead', async () => {
  const id = await byHand();
  const refusal = async (field: string, more = '') => {
    const text = `mutation { ${field}(${argumentsOf(id)}${more}) { batchId } }`;
    const { body } = await world.harness.graphql(ada, text);
    const [error] = body.errors;
    expect(error.extensions.code).toBe('conflict');
    return error.message as string;
  };
  const asked = async (status: string) => {
    await world.sql(`UPDATE bank_batch SET status = $1, sent_at = now()`, [status]);
    const answers = ['Download', 'Uploaded'].map((act) => refusal(`operatorBankBatch${act}`));
    const [download, upload] = await Promise.all(answers);
    expect(download).toBe(upload);
    return download;
  };
  expect(await refusal('operatorBankBatchUploaded')).toBe(
    'Nobody has downloaded the file. Download it first with operatorBankBatchDownload.',
  );
  expect(await refusal('operatorBankBatchResolve', ', outcome: sent, evidence: "portal"')).toBe(
    'An outcome can be given only for a batch that is unknown. This one is closed.',
  );
  expect(await asked('sending')).toContain('Wait until the batch is unknown');
  expect(await asked('unknown')).toContain('give its answer with operatorBankBatchResolve');
  expect(await asked('sent')).toBe('The bank has the file. Do not upload it again.');
  expect(await asked('rejected')).toBe('The bank rejected the file. Do not upload it again.');
  await world.sql(`UPDATE bank_connection SET transport = 'folder'`);
  expect(await asked('closed')).toBe('A worker brings the files of this connection to the bank.');
  expect(await logged()).toEqual([]);
});

it('takes a key, a session and a login in psql of one name for one person', async () => {
  const id = await byHand();
  const { pool } = world.harness.database;
  const grace = { email: 'grace@example.com', name: 'Grace' };
  const operatorUserId = await addOperatorUser(pool, grace);
  const session = await sessionOf(world.harness, { operatorUserId });
  const { key } = await issueOperatorKey(pool, ' grace ');
  const file = await mutate(session.key, 'operatorBankBatchDownload', '', id);
  expect(file.batchId).toBe(id);
  expect(await mutate(key, 'operatorBankBatchUploaded', '', id)).toBe('conflict');
  expect(await mutate(session.key, 'operatorBankBatchUploaded', '', id)).toBe('conflict');
  expect(await world.batches()).toMatchObject([{ status: 'sending', downloaded_by: ['grace'] }]);
  expect(await mutate(ben, 'operatorBankBatchUploaded', '', id)).toMatchObject({ status: 'sent' });
});

it('has people carry a fixed file whose connection lost its other way to the bank', async () => {
  const payout = await world.waiting();
  await world.close();
  const [batch] = await world.batches();
  const id = batch?.id ?? '';
  expect(await mutate(ada, 'operatorBankBatchDownload', '', id)).toBe('conflict');
  await world.sql(`UPDATE bank_connection SET transport = 'manual'`);
  const file = await mutate(ada, 'operatorBankBatchDownload', '', id);
  expect(file.sha256).toBe(batch?.sha256);
  expect(await mutate(ben, 'operatorBankBatchUploaded', '', id)).toMatchObject({ status: 'sent' });
  await world.send(id);
  expect(await world.attempts(payout)).toMatchObject([{ status: 'submitted' }]);
  expect(Object.keys(await world.sentFiles())).toEqual([]);
});

it('gives nobody a file that a worker had begun to send, until two people know that it is not there', async () => {
  await world.waiting();
  await world.close();
  const [batch] = await world.batches();
  const id = batch?.id ?? '';
  await world.sql(`UPDATE bank_batch SET status = 'sending', stagings = 1`);
  await world.sql(`UPDATE bank_connection SET transport = 'manual'`);
  expect(await mutate(ada, 'operatorBankBatchDownload', '', id)).toBe('conflict');
  expect(await mutate(ben, 'operatorBankBatchUploaded', '', id)).toBe('conflict');
  await world.send(id);
  expect(await world.batches()).toMatchObject([{ status: 'unknown', needs_operator: true }]);
  const notSent = ', outcome: not_sent, evidence: "ticket 4711"';
  await mutate(ada, 'operatorBankBatchResolve', notSent, id);
  expect(await mutate(ada, 'operatorBankBatchDownload', '', id)).toBe('conflict');
  await mutate(ben, 'operatorBankBatchResolve', notSent, id);
  const file = await mutate(ada, 'operatorBankBatchDownload', '', id);
  expect(file.sha256).toBe(batch?.sha256);
});

it('is held to two people by the database itself', async () => {
  const id = await byHand();
  await mutate(ada, 'operatorBankBatchDownload', '', id);
  const forged = world.sql(`UPDATE bank_batch SET uploaded_by = 'ada' WHERE id = $1`, [id]);
  await expect(forged).rejects.toThrow('bank_batch_two_people_check');
});

it('sends the same bytes again only when two people found that the bank has not got them', async () => {
  const { id, payout } = await unknown();
  expect(await world.batches()).toMatchObject([{ status: 'unknown', needs_operator: true }]);
  const notSent = ', outcome: not_sent, evidence: "ticket 4711"';
  const asked = { status: 'unknown', awaitsSecondPerson: true };
  expect(await mutate(ada, 'operatorBankBatchResolve', notSent, id)).toMatchObject(asked);
  expect(await mutate(ada, 'operatorBankBatchResolve', notSent, id)).toMatchObject(asked);
  const [before] = await world.batches();
  expect(await mutate(ben, 'operatorBankBatchResolve', notSent, id)).toMatchObject({
    status: 'closed',
    awaitsSecondPerson: false,
  });
  await world.send(id);
  const [after] = await world.batches();
  expect(after).toMatchObject({ status: 'sent', sha256: before?.sha256, stagings: 2 });
  expect(Object.keys(await world.sentFiles())).toEqual([before?.file_name]);
  expect(await world.attempts(payout)).toMatchObject([{ status: 'submitted' }]);
});

it('counts the payments as handed over where the bank has the file', async () => {
  const { id, payout } = await unknown();
  const sent = ', outcome: sent, evidence: "the portal lists it"';
  expect(await mutate(ada, 'operatorBankBatchResolve', sent, id)).toMatchObject({ status: 'sent' });
  expect(await mutate(ada, 'operatorBankBatchResolve', sent, id)).toBe('conflict');
  expect(await logged()).toEqual([`operatorBankBatchResolve ${id}: evening file`]);
  await world.send(id);
  expect(await world.attempts(payout)).toMatchObject([{ status: 'submitted' }]);
  expect(Object.keys(await world.sentFiles())).toEqual([]);
});

it('says the same in psql', async () => {
  const { id } = await unknown();
  const operator = await makeOperator(world.harness.database, 'ops_operate');
  const { sql, refusal, leave } = operator;
  try {
    const [row] = await sql<{ status: string; next_step: string }>(
      'SELECT status, next_step FROM ops.bank_batches WHERE batch_id = $1',
      [id],
    );
    expect(row?.status).toBe('unknown');
    expect(row?.next_step).toContain('ops.resolve_bank_batch');
    const resolve = `SELECT ops.resolve_bank_batch($1, 'not_sent', 'ticket 4711', 'case 1') AS noted`;
    expect(await sql(resolve, [id])).toEqual([{ noted: 'asked' }]);
    const notSent = ', outcome: not_sent, evidence: "ticket 4711"';
    expect(await mutate(ben, 'operatorBankBatchResolve', notSent, id)).toMatchObject({
      status: 'closed',
    });
    // In the words that GraphQL has for it.
    expect((await refusal(resolve, [id])).message).toBe(
      'An outcome can be given only for a batch that is unknown. This one is closed.',
    );
    const upload = `SELECT ops.record_bank_upload($1, 'case 2')`;
    expect((await refusal(upload, [id])).message).toBe(
      'A worker brings the files of this connection to the bank.',
    );
    const unknownBatch = await refusal(`SELECT ops.record_bank_upload('bbt_0', 'case 2')`);
    expect(unknownBatch.message).toContain('There is no bank batch');
    await world.waiting();
    await world.forgetJobs();
    expect(await sql('SELECT payouts, amount_minor FROM ops.bank_queues')).toEqual([
      { payouts: 1, amount_minor: 125_000 },
    ]);
    const close = `SELECT ops.close_bank_batches($1, 'before the holiday')`;
    await sql(close, [world.bank.connection]);
    expect(await world.jobs('close_bank_batch')).toMatchObject([{ payload: { onRequest: true } }]);
  } finally {
    await leave();
  }
});

it('shows the business what waits and what was sent', async () => {
  const payout = await world.waiting();
  const { key } = world.tenant;
  const queues = await world.harness.graphql(
    key,
    '{ bankQueues { connectionId scheme currency payoutCount amountMinor closesAt executionDate problem } }',
  );
  expect(queues.body.data.bankQueues).toMatchObject([
    { connectionId: world.bank.connection, scheme: 'ach', payoutCount: 1, problem: null },
  ]);
  await world.close();
  const list = await world.harness.graphql(
    key,
    `{ bankBatches(first: 5) { edges { node {
      id status closedBy fileName sha256 messageId paymentCount controlSumMinor executionDate needsOperator
      payments { position payoutId endToEndId traceNumber uetr }
    } } } }`,
  );
  expect(list.body.data.bankBatches.edges).toMatchObject([
    {
      node: {
        status: 'closed',
        closedBy: 'request',
        paymentCount: 1,
        payments: [
          { position: 1, payoutId: payout, endToEndId: payout.replace('_', '-'), uetr: null },
        ],
      },
    },
  ]);
  const [edge] = list.body.data.bankBatches.edges;
  const one = await world.harness.graphql(key, `{ bankBatch(id: "${edge.node.id}") { id } }`);
  expect(one.body.data.bankBatch).toEqual({ id: edge.node.id });
  const { id, fileName, messageId } = edge.node;
  const find = async (text: string, as = key) => {
    const query = 'query ($text: String!) { bankBatchSearch(text: $text) { id } }';
    return (await world.harness.graphql(as, query, { text })).body.data.bankBatchSearch;
  };
  for (const text of [id, fileName, messageId, payout, payout.replace('_', '-').toUpperCase()]) {
    expect(await find(text), text).toEqual([{ id }]);
  }
  expect(await find(fileName.slice(1))).toEqual([]);
  const other = await makeTenant(world.harness);
  expect(await find(fileName, other.key)).toEqual([]);
  const theirs = await world.harness.graphql(
    other.key,
    `{ bankBatch(id: "${edge.node.id}") { id } bankBatches { edges { node { id } } } bankQueues { scheme } }`,
  );
  expect(theirs.body.data).toEqual({ bankBatch: null, bankBatches: { edges: [] }, bankQueues: [] });
  const cursors = await world.harness.graphql(key, '{ bankBatches { pageInfo { endCursor } } }');
  const { endCursor } = cursors.body.data.bankBatches.pageInfo;
  const foreign = await world.harness.graphql(
    other.key,
    `{ bankBatches(after: "${endCursor}") { edges { node { id } } } }`,
  );
  expect(foreign.body.errors[0].extensions.code).toBe('validation_failed');
  const open = await world.harness.graphql(
    ada,
    '{ operatorBankBatches { edges { node { batchId status needsOperator nextStep } } } }',
  );
  expect(open.body.data.operatorBankBatches.edges).toMatchObject([
    { node: { batchId: edge.node.id, status: 'closed', needsOperator: false, nextStep: null } },
  ]);
});

it('makes files on request', async () => {
  await world.waiting();
  await world.forgetJobs();
  const text = `mutation { operatorBankBatchesClose(businessId: "${world.tenant.businessId}", environment: sandbox,
    connectionId: "${world.bank.connection}", reason: "before the holiday") { connectionId } }`;
  const { body } = await world.harness.graphql(ada, text);
  expect(body.data.operatorBankBatchesClose).toEqual({ connectionId: world.bank.connection });
  expect(await logged()).toEqual([
    `operatorBankBatchesClose ${world.bank.connection}: before the holiday`,
  ]);
  expect(await world.jobs('close_bank_batch')).toMatchObject([{ payload: { onRequest: true } }]);
});

it('shows first what waits for a person, and each of them whether the next step may be theirs', async () => {
  const id = await byHand();
  world.bank.connection = await world.connect();
  await world.routeTo(world.bank.connection);
  await world.waiting();
  await world.close();
  const newer = (await world.batches()).map((batch) => batch.id).find((one) => one !== id);
  await mutate(ada, 'operatorBankBatchDownload', '', id);
  const page = async (key: string, more = '') => {
    const fields = 'batchId byHand downloadedBy downloadedByYou messageId sendingAt';
    const text = `{ operatorBankBatches(first: 1${more}) { edges { node { ${fields} } } pageInfo { endCursor } } }`;
    const { edges, pageInfo } = (await world.harness.graphql(key, text)).body.data
      .operatorBankBatches;
    return { batch: edges[0]?.node, after: `, after: "${pageInfo.endCursor}"` };
  };
  const first = await page(ada);
  const carried = { batchId: id, byHand: true, downloadedBy: ['ada'] };
  expect(first.batch).toMatchObject({ ...carried, downloadedByYou: true });
  expect((await page(ben)).batch).toMatchObject({ ...carried, downloadedByYou: false });
  const second = await page(ada, first.after);
  expect(second.batch).toMatchObject({ batchId: newer, byHand: false, downloadedBy: [] });
  expect((await page(ada, second.after)).batch).toBeUndefined();
});

it('shows one batch to operators, also when it is at its bank', async () => {
  const id = await byHand();
  await mutate(ada, 'operatorBankBatchDownload', '', id);
  await mutate(ben, 'operatorBankBatchUploaded', '', id);
  await world.send(id);
  const one = async (key: string, batchId: string) => {
    const fields = 'status downloadedBy uploadedBy sentAt takenAt sizeBytes closedBy connection';
    const text = `{ operatorBankBatch(batchId: "${batchId}") { ${fields} } }`;
    return (await world.harness.graphql(key, text)).body;
  };
  expect((await one(ada, id)).data.operatorBankBatch).toMatchObject({
    status: 'sent',
    downloadedBy: ['ada'],
    uploadedBy: 'ben',
    takenAt: expect.any(String),
    closedBy: 'request',
    connection: 'Hausbank',
  });
  expect((await one(ada, 'bbt_0')).data.operatorBankBatch).toBeNull();
  expect((await one(world.tenant.key, id)).errors[0].extensions.code).toBe('forbidden');
});
