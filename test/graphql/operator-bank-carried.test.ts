import { beforeEach, expect, it } from 'vitest';
import { issueOperatorKey } from '../../src/access/operator-key.ts';
import { sweepBankBatches } from '../../src/domain/bank-batch/sweep.ts';
import { statusReport } from '../support/bank-answers.ts';
import { useBankInbox } from '../support/bank-inbox.ts';

const world = useBankInbox();
let ada: string;
let ben: string;
beforeEach(async () => {
  const { pool } = world.harness.database;
  ada = (await issueOperatorKey(pool, 'Ada')).key;
  ben = (await issueOperatorKey(pool, 'Ben')).key;
});

/** The file of a connection that people serve, with its payout. */
async function byHand() {
  world.bank.connection = await world.connect({ transport: 'manual' });
  await world.routeTo(world.bank.connection);
  const [one] = await world.sent(1);
  if (one === undefined) throw new Error('no batch was made');
  return one;
}

/** `done`, or the code of the refusal. */
async function mutate(key: string, field: string, batchId: string): Promise<string> {
  const given = `businessId: "${world.tenant.businessId}", environment: sandbox, batchId: "${batchId}", reason: "evening file"`;
  const { body } = await world.harness.graphql(key, `mutation { ${field}(${given}) { batchId } }`);
  return body.errors === undefined ? 'done' : body.errors[0].extensions.code;
}

it.each([
  ['RJCT', 'rejected', 'failed'],
  ['ACSP', 'sent', 'approved'],
])('ends the wait for a second person when the bank answers %s', async (group, status, state) => {
  const { batch, message, payout } = await byHand();
  expect(await mutate(ada, 'operatorBankBatchDownload', batch)).toBe('done');
  await world.take(statusReport({ message, group, ...(group === 'RJCT' && { reason: 'FF01' }) }));
  expect(await world.batches()).toMatchObject([{ status, needs_operator: false }]);
  expect(await mutate(ben, 'operatorBankBatchUploaded', batch)).toBe('conflict');
  expect(await mutate(ben, 'operatorBankBatchDownload', batch)).toBe('conflict');
  await world.send(batch);
  expect(await world.batches()).toMatchObject([{ status, uploaded_by: null }]);
  expect(await world.stateOf(payout)).toBe(state);
  await world.forgetJobs();
  await sweepBankBatches(world.harness.services);
  expect(await world.jobs('send_bank_batch')).toEqual([]);
});

it('leaves a file alone that nobody has begun to bring, whatever a bank says of it', async () => {
  const { batch, message } = await byHand();
  await world.take(statusReport({ message, group: 'ACSP' }));
  expect(await world.batches()).toMatchObject([{ id: batch, status: 'closed' }]);
});
