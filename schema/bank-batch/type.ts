import type { BankPayment } from '../../generated/prisma/client.ts';
import { readPayments, type BankQueue, type PaymentsOf } from '../../src/domain/bank-batch/list.ts';
import type { BatchClosing, BatchStatus } from '../../src/domain/bank-batch/names.ts';
import type { StoredBatch } from '../../src/domain/bank-batch/store.ts';
import type { ConnectionScheme } from '../../src/domain/bank-connection/names.ts';
import { BankSchemeEnum } from '../bank/enums.ts';
import { builder } from '../builder.ts';
import { BankBatchClosingEnum, BankBatchStatusEnum } from './enums.ts';
import { childrenCost } from '../lists/children.ts';
import { loadBy } from '../lists/loader.ts';

const BankPaymentObject = builder.objectRef<BankPayment>('BankPayment').implement({
  description: 'A payment as it stands in a file for a bank.',
  fields: (t) => ({
    position: t.exposeInt('position', { description: 'Its place in the file, from 1.' }),
    payoutId: t.exposeID('payoutId', { description: 'The payout.' }),
    attemptId: t.exposeID('attemptId', { description: 'The hand-over of the payout.' }),
    endToEndId: t.exposeString('endToEndId', {
      description: "Reference of the payout, which the payee's bank and every report repeat.",
    }),
    instructionId: t.exposeString('instructionId', {
      description: 'Reference of the hand-over, between us and our bank.',
    }),
    uetr: t.exposeString('uetr', {
      nullable: true,
      description: 'UUID that follows the payment through the banks; null in a Nacha file.',
    }),
    traceNumber: t.exposeString('traceNumber', {
      nullable: true,
      description: 'Fifteen digits by which a Nacha return names the payment; null in other files.',
    }),
  }),
});

const paymentsOf = loadBy(readPayments, ({ batchId, after }: PaymentsOf) => `${batchId} ${after}`);

export const BankBatchObject = builder.objectRef<StoredBatch>('BankBatch').implement({
  description:
    'A file for a bank, whose bytes were fixed when it was closed (docs/bank-batches.md).',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'Its id.' }),
    connectionId: t.exposeID('connectionId', { description: 'The bank connection.' }),
    scheme: t.field({
      type: BankSchemeEnum,
      description: 'How the bank pays it.',
      resolve: ({ scheme }) => scheme as ConnectionScheme,
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    status: t.field({
      type: BankBatchStatusEnum,
      description: 'What is known of it.',
      // The column's CHECK constraint holds these values.
      resolve: ({ status }) => status as BatchStatus,
    }),
    closedBy: t.field({
      type: BankBatchClosingEnum,
      description: 'Why it was closed.',
      // The column's CHECK constraint holds these values.
      resolve: ({ closedBy }) => closedBy as BatchClosing,
    }),
    fileName: t.exposeString('fileName', { description: 'Name of the file at the bank.' }),
    sha256: t.exposeString('sha256', {
      description: 'SHA-256 of the file, in hexadecimal digits.',
    }),
    sizeBytes: t.exposeInt('sizeBytes', { description: 'Bytes of the file.' }),
    messageId: t.exposeString('messageId', {
      description: 'Id of the message at the bank, which its status reports repeat.',
    }),
    paymentCount: t.exposeInt('paymentCount', { description: 'How many payments it has.' }),
    controlSumMinor: t.expose('controlSumMinor', {
      type: 'MinorUnitsTotal',
      description: 'What they come to, in minor units of currency.',
    }),
    executionDate: t.exposeString('executionDate', {
      description: 'The day on which the bank is asked to pay, YYYY-MM-DD.',
    }),
    closedAt: t.expose('closedAt', { type: 'DateTime', description: 'When it was closed.' }),
    sentAt: t.expose('sentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it certainly is at the bank; null before.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why the latest try did not bring it there; null where there is none.',
    }),
    needsOperator: t.exposeBoolean('needsOperator', {
      description: 'Whether it waits for an operator.',
    }),
    payments: t.field({
      type: [BankPaymentObject],
      description: 'Up to 100 of its payments, in the order of the file.',
      args: {
        after: t.arg.int({
          defaultValue: 0,
          description: 'Those behind this place; the first ones where absent.',
        }),
      },
      complexity: childrenCost,
      resolve: ({ id }, { after }, context) =>
        paymentsOf(context, { batchId: id, after: after ?? 0 }),
    }),
  }),
});

export const BankQueueObject = builder.objectRef<BankQueue>('BankQueue').implement({
  description: 'Approved payouts that wait for the next file of a bank connection.',
  fields: (t) => ({
    connectionId: t.exposeID('connectionId', { description: 'The bank connection.' }),
    scheme: t.field({
      type: BankSchemeEnum,
      description: 'How the bank will pay them.',
      resolve: ({ scheme }) => scheme as ConnectionScheme,
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    payoutCount: t.exposeInt('payoutCount', { description: 'How many payouts wait.' }),
    amountMinor: t.expose('amountMinor', {
      type: 'MinorUnitsTotal',
      description: 'What they come to, in minor units of currency.',
    }),
    oldest: t.expose('oldest', {
      type: 'DateTime',
      description: 'Since when the first of them waits.',
    }),
    closesAt: t.expose('closesAt', {
      type: 'DateTime',
      description: 'The next cut-off: until then they can be canceled and held.',
    }),
    executionDate: t.exposeString('executionDate', {
      description: 'The day on which the bank is asked to pay what waits until then, YYYY-MM-DD.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why no file could be made at the latest cut-off; null where there is nothing.',
    }),
  }),
});
