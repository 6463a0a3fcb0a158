import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { startWorker } from '../../jobs/runner.ts';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { inTransaction } from '../../src/db/pool.ts';
import { storedReading } from '../../src/process/metrics/stored-reading.ts';
import { enqueue } from '../../src/queue/queue.ts';
import { newId } from '../../src/values/ids.ts';
import { achFile, statusReport } from '../support/bank-answers.ts';
import { useBankInbox, type Sent } from '../support/bank-inbox.ts';
import { behind } from '../support/behind.ts';
import { eventually, makeTenant } from '../support/factory.ts';
import { explainStrayByHand } from '../../src/domain/bank-file/stray-store.ts';

/* Answers of banks that name nothing of their connection, at the desk. */

const world = useBankInbox();
const { sent, take, stateOf } = world;
let ada: string;
beforeEach(async () => {
  ada = (await issueOperatorKey(world.harness.database.pool, 'Ada')).key;
});

const fields = `answerId connectionId connection fileId fileName line kind explanation said originalMessageId
  originalBatchId endToEndId instructionId traceNumber amountMinor currency businessId environment takenBy`;

// The shape is what each test asserts.
// oxlint-disable-next-line typescript/no-explicit-any
async function desk(more = ''): Promise<any[]> {
  const text = `{ operatorBankStrayAnswers${more} { edges { node { ${fields} } } } }`;
  const { body } = await world.harness.graphql(ada, text);
  expect(body.errors).toBeUndefined();
  return body.data.operatorBankStrayAnswers.edges.map(({ node }: { node: object }) => node);
}

/** The answer and its record, or the code of the refusal. */
async function explain(answerId: string, more: object = {}, key = ada) {
  const given = { businessId: world.tenant.businessId, environment: 'sandbox', answerId };
  const { body } = await world.harness.graphql(
    key,
    `mutation ($businessId: ID!, $environment: Environment!, $answerId: ID!, $explanation: String!, $reason: String!) {
      operatorBankAnswerExplain(businessId: $businessId, environment: $environment, answerId: $answerId,
        explanation: $explanation, reason: $reason) { answerId actionId } }`,
    { explanation: 'A file of the payroll', reason: 'asked the bank', ...given, ...more },
  );
  return body.errors === undefined
    ? body.data.operatorBankAnswerExplain
    : body.errors[0].extensions.code;
}

const log = () =>
  world.sql<{ id: string }>(
    `SELECT id, subject_id, reason, detail FROM ops.action_log WHERE action = 'explain_bank_answer'`,
  );

async function counted(): Promise<number | undefined> {
  const metrics = await world.sql<{ labels: string[]; value: string }>(storedReading.text);
  const found = metrics.find(({ labels }) => labels[0] === 'stray_answer');
  return found === undefined ? undefined : Number(found.value);
}

const unknownTrace = '021000029999999';
const strangers = achFile([
  { trace: unknownTrace, code: 'R03', cents: 4_200 },
  { trace: unknownTrace, code: 'C01', corrected: '1918171614' },
]);

it('shows an operator what a worker fetched that answers nothing of the connection, and takes it off the desk once', async () => {
  const [one] = (await sent(1)) as [Sent];
  const incoming = join(dirname(world.out()), 'in');
  await mkdir(incoming, { recursive: true });
  const files = {
    'report.xml': statusReport({ message: 'PAYROLL-7', group: 'RJCT', reason: 'FF01' }),
    'returns.ach': strangers,
  };
  for (const [name, content] of Object.entries(files)) {
    // A file that stands there whole is not taken for one that grows.
    await writeFile(join(dirname(incoming), name), content);
    await rename(join(dirname(incoming), name), join(incoming, name));
  }
  const { pool } = world.call.services;
  const worker = await startWorker(world.call.services);
  try {
    await inTransaction(pool, (client) => enqueue(client, 'fetch_bank_files', {}));
    await eventually(async () => (await desk()).length === 3);
  } finally {
    await worker.stop();
  }
  const place = {
    connectionId: world.bank.connection,
    connection: 'Hausbank',
    businessId: world.tenant.businessId,
    environment: 'sandbox',
    endToEndId: null,
    takenBy: null,
  };
  const rows = await desk();
  expect(rows.toSorted((left, right) => (left.kind < right.kind ? -1 : 1))).toMatchObject([
    {
      ...place,
      kind: 'change',
      said: 'C01',
      traceNumber: unknownTrace,
      fileName: 'returns.ach',
      amountMinor: null,
    },
    {
      ...place,
      kind: 'message',
      said: 'RJCT FF01',
      originalMessageId: 'PAYROLL-7',
      fileName: 'report.xml',
      explanation: 'A status report answers a file that this connection has not sent.',
    },
    {
      ...place,
      kind: 'return',
      said: 'R03',
      traceNumber: unknownTrace,
      amountMinor: 4_200,
      currency: 'USD',
      line: 4,
    },
  ]);
  // What a bank claims of somebody's account is on no desk.
  expect(JSON.stringify(rows)).not.toContain('1918171614');
  expect(await counted()).toBe(3);
  expect(await stateOf(one.payout)).toBe('approved');
  const message = rows.find(({ kind }) => kind === 'message').answerId;
  const done = await explain(message);
  expect(done).toMatchObject({ answerId: message });
  expect(await explain(message)).toBe('conflict');
  expect(await log()).toEqual([
    {
      id: done.actionId,
      subject_id: message,
      reason: 'asked the bank',
      detail: { explanation: 'A file of the payroll' },
    },
  ]);
  expect(await world.sql('SELECT action, subject_id FROM operator_action')).toEqual([
    { action: 'operatorBankAnswerExplain', subject_id: message },
  ]);
  expect(new Set((await desk()).map(({ kind }) => kind))).toEqual(new Set(['change', 'return']));
  expect(await counted()).toBe(2);
});

it('shows an answer once, whichever files repeat it and however often they are applied', async () => {
  const report = (id: string) => statusReport({ id, message: 'PAYROLL-7', group: 'ACSC' });
  const file = await take(report('first'));
  await take(strangers);
  const before = await desk();
  expect(before).toHaveLength(3);
  for (const { answerId } of before) expect(await explain(answerId)).toMatchObject({ answerId });
  await take(report('again'));
  await take(report('first'));
  await take(strangers.replace('ORIGINATOR', 'Originator'));
  await world.apply(file);
  expect(await desk()).toEqual([]);
  // Another word of the bank about the same message is another answer.
  await take(statusReport({ message: 'PAYROLL-7', group: 'RJCT' }));
  expect(await desk()).toMatchObject([{ kind: 'message', said: 'RJCT' }]);
});

it('shows a payment that a known file does not have, and tells the others what the file says of them', async () => {
  const [one, two] = (await sent(2)) as [Sent, Sent];
  const stranger = { payout: newId('payout'), attempt: newId('disbursementAttempt') };
  const payments = [
    { ...one, status: 'RJCT', reason: 'AC04' },
    { ...stranger, status: 'RJCT', reason: 'AC01' },
    { ...two, status: 'ACSP' },
  ];
  await take(statusReport({ message: one.message, group: 'PART', payments }));
  expect(await desk()).toMatchObject([
    {
      kind: 'payment',
      said: 'RJCT AC01',
      originalMessageId: one.message,
      endToEndId: expect.stringMatching(/^pay/),
      instructionId: expect.stringMatching(/^dat/),
      amountMinor: null,
    },
  ]);
  expect(await stateOf(one.payout)).toBe('failed');
  expect(await stateOf(two.payout)).toBe('approved');
});

it('shows a batch that a known file does not have once, with all that is said of it', async () => {
  const [one] = (await sent(1)) as [Sent];
  const payments = [
    { ...one, status: 'RJCT', reason: 'AC04' },
    { payout: newId('payout'), attempt: newId('disbursementAttempt'), status: 'ACSC' },
  ];
  const report = statusReport({ message: one.message, group: 'PART', payments });
  await take(report.replace(/<OrgnlPmtInfId>[^<]*/, '<OrgnlPmtInfId>OTHER-1'));
  expect(await desk()).toMatchObject([
    { kind: 'batch', said: 'ACSC, RJCT AC04', originalBatchId: 'OTHER-1', endToEndId: null },
  ]);
  expect(await stateOf(one.payout)).toBe('approved');
});

it('shows the answer to a file of another connection of the business', async () => {
  const [one] = (await sent(1)) as [Sent];
  const other = await world.connect();
  await take(statusReport({ message: one.message, group: 'RJCT' }), other);
  await take(achFile([{ trace: one.trace ?? '', code: 'R03', cents: 125_000 }]), other);
  expect(await desk()).toMatchObject([
    { connectionId: other, kind: 'return', traceNumber: one.trace },
    { connectionId: other, kind: 'message', originalMessageId: one.message },
  ]);
  expect(await stateOf(one.payout)).toBe('approved');
});

it('keeps apart answers that name nothing, and words that a bank writes freely off the desk', async () => {
  const nameless = (id: string) =>
    statusReport({ id, message: '', group: 'RJCT', reason: 'Ada Lovelace' })
      .replace('<OrgnlMsgId></OrgnlMsgId>', '')
      .replace('<Cd>Ada Lovelace</Cd>', '<Prtry>Ada Lovelace</Prtry>');
  await take(nameless('one'));
  await take(nameless('two'));
  const rows = await desk();
  expect(rows).toMatchObject([
    { kind: 'message', said: 'RJCT', originalMessageId: null },
    { kind: 'message', said: 'RJCT', originalMessageId: null },
  ]);
  expect(JSON.stringify(rows)).not.toContain('Ada');
});

it('refuses what cannot be explained, and keeps no record of it', async () => {
  await take(strangers);
  const [{ answerId }] = await desk();
  const other = await makeTenant(world.harness);
  expect(await desk(`(businessId: "${other.businessId}")`)).toEqual([]);
  expect(await explain(newId('bankStrayAnswer'))).toBe('not_found');
  expect(await explain('nonsense')).toBe('not_found');
  expect(await explain(answerId, { businessId: other.businessId })).toBe('not_found');
  expect(await explain(answerId, { environment: 'production' })).toBe('not_found');
  expect(await explain(answerId, { explanation: ' ' })).toBe('validation_failed');
  expect(await explain(answerId, { explanation: 'x'.repeat(1_001) })).toBe('validation_failed');
  expect(await explain(answerId, { reason: '' })).toBe('validation_failed');
  expect(await explain(answerId, {}, world.tenant.key)).toBe('forbidden');
  expect(await log()).toEqual([]);
  expect(await desk()).toHaveLength(2);
});

it('is explained once where two people do at the same moment', async () => {
  await take(strangers);
  const [{ answerId }] = await desk();
  const byHand = { explanation: 'mine', actionId: '00000000-0000-7000-8000-000000000000' };
  const second = await behind(
    world.call.services.pool,
    (client) => explainStrayByHand(client, world.call.scope, answerId, byHand),
    () => explain(answerId),
  );
  expect(second).toBe('conflict');
  expect(await log()).toEqual([]);
});

it('is explained from SQL, with the next step that says so', async () => {
  await take(strangers);
  const rows = await world.sql<{ answer_id: string; next_step: string }>(
    'SELECT answer_id, next_step FROM ops.bank_stray_answers ORDER BY kind',
  );
  const [{ answer_id: id, next_step: step } = { answer_id: '', next_step: '' }] = rows;
  expect(step).toContain(`ops.explain_bank_answer('${id}'`);
  const order = (answer: string, words = 'Payroll') =>
    world.sql('SELECT ops.explain_bank_answer($1, $2, $3)', [answer, words, 'asked']);
  await expect(order(id, ' ')).rejects.toThrow('Say what it is');
  await order(id);
  await expect(order(id)).rejects.toThrow('is explained');
  await expect(order(newId('bankStrayAnswer'))).rejects.toThrow('There is no bank answer');
  expect(await world.sql('SELECT answer_id FROM ops.bank_stray_answers')).toHaveLength(1);
  expect(await log()).toHaveLength(1);
});
