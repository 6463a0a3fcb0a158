import { randomUUID } from 'node:crypto';
import type { PayoutBatch } from '../../generated/prisma/client.ts';
import { createPayoutBatch } from '../../src/domain/payout-batch/create.ts';
import type { BatchRowInput } from '../../src/domain/payout-batch/input.ts';
import { listBatchRows, type BatchRowShown } from '../../src/domain/payout-batch/list.ts';
import type { Call } from '../../src/process/services.ts';
import type { TestPayee } from './factory.ts';

/** A row that nothing refuses, for a payee. */
export const rowFor = (payee: TestPayee, more: Partial<BatchRowInput> = {}): BatchRowInput => ({
  beneficiaryId: payee.beneficiaryId,
  bankAccountId: payee.bankAccountId,
  amountMinor: 125_000,
  currency: 'USD',
  purposeOfPayment: 'payroll',
  ...more,
});

/** A draft with these rows, under a key of its own. */
export async function newDraft(call: Call, rows: readonly BatchRowInput[]): Promise<PayoutBatch> {
  const input = { name: 'November', idempotencyKey: randomUUID(), rows: [...rows] };
  return (await createPayoutBatch(call, input)).batch;
}

/** The first rows of a batch. */
export const rowsOf = (call: Call, batchId: string, take = 100): Promise<BatchRowShown[]> =>
  listBatchRows(call, batchId, null, { after: null, before: null, take, backwards: false });

/** What became of the rows of a batch. */
export const statusesOf = async (call: Call, batchId: string): Promise<string[]> =>
  (await rowsOf(call, batchId)).map(({ status }) => status);
