import {
  listBatchPayments,
  listOpenBankBatches,
  openBatchPosition,
  readOperatedBatch,
  type OperatedBatch,
  type OperatedPayment,
} from '../../src/domain/operator/bank-lists.ts';
import { BankBatchClosingEnum, BankBatchStatusEnum } from '../bank-batch/enums.ts';
import type { PayoutFailureCode } from '../../src/domain/payout/list/filter.ts';
import type { ConnectionScheme } from '../../src/domain/bank-connection/names.ts';
import { BankSchemeEnum } from '../bank/enums.ts';
import { builder } from '../builder.ts';
import { FailureCodeEnum, PayoutStateEnum } from '../payout/enums.ts';
import { forwardArgs } from '../lists/page-args.ts';
import { listArgs } from './args.ts';
import { listPage, OperatorListed } from './listed.ts';
import { operatorPage, operatorPageCost } from './page.ts';

const OperatorBankBatch = builder.objectRef<OperatedBatch>('OperatorBankBatch').implement({
  description: 'A file for a bank with what only operators see of it (docs/bank-batches.md).',
  interfaces: [OperatorListed],
  fields: (t) => ({
    batchId: t.exposeID('batchId', { description: 'The batch.' }),
    connectionId: t.exposeID('connectionId', { description: 'The bank connection.' }),
    connection: t.exposeString('connection', { description: 'How people call the connection.' }),
    scheme: t.field({
      type: BankSchemeEnum,
      description: 'How the bank pays it.',
      resolve: ({ scheme }) => scheme as ConnectionScheme,
    }),
    status: t.expose('status', { type: BankBatchStatusEnum, description: 'What is known of it.' }),
    fileName: t.exposeString('fileName', { description: 'Name of the file at the bank.' }),
    sha256: t.exposeString('sha256', {
      description: 'SHA-256 of the file, in hexadecimal digits.',
    }),
    sizeBytes: t.exposeInt('sizeBytes', { description: 'Bytes of the file.' }),
    messageId: t.exposeString('messageId', {
      description: 'Id of the message at the bank, which its status reports repeat.',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    paymentCount: t.exposeInt('paymentCount', { description: 'How many payments it has.' }),
    controlSumMinor: t.expose('controlSumMinor', {
      type: 'MinorUnitsTotal',
      description: 'What they come to, in minor units of currency.',
    }),
    executionDate: t.exposeString('executionDate', {
      description: 'The day on which the bank is asked to pay, YYYY-MM-DD.',
    }),
    closedBy: t.expose('closedBy', {
      type: BankBatchClosingEnum,
      description: 'Why it was closed.',
    }),
    closedAt: t.expose('closedAt', { type: 'DateTime', description: 'When it was closed.' }),
    sendingAt: t.expose('sendingAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a worker, or a person who downloaded it, began to bring it; null before.',
    }),
    sentAt: t.expose('sentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Since when it certainly is at the bank; null before.',
    }),
    takenAt: t.expose('takenAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the last of its payments counted as handed over; null before.',
    }),
    problem: t.exposeString('problem', {
      nullable: true,
      description: 'Why the latest try did not bring it there; null where there is none.',
    }),
    needsOperator: t.exposeBoolean('needsOperator', {
      description: 'Whether a person has to act.',
    }),
    nextStep: t.exposeString('nextStep', {
      nullable: true,
      description:
        'What a person can do. ops.record_bank_upload and ops.resolve_bank_batch are operatorBankBatchUploaded and operatorBankBatchResolve here.',
    }),
    byHand: t.exposeBoolean('byHand', { description: 'Whether people bring it to the bank.' }),
    downloadedBy: t.exposeStringList('downloadedBy', {
      description:
        'Names of those who downloaded it. None of them can say that it was uploaded: operatorBankBatchUploaded needs another person.',
    }),
    downloadedByYou: t.exposeBoolean('downloadedByYou', {
      description: 'Whether the caller is one of them.',
    }),
    uploadedBy: t.exposeString('uploadedBy', {
      nullable: true,
      description: 'Name of who said that it was uploaded; null where nobody did.',
    }),
    resendAskedBy: t.exposeString('resendAskedBy', {
      nullable: true,
      description:
        'Name of who found that the bank has not got it: a second person has to find so too before it is sent again. Null where nobody did.',
    }),
    resendAskedByYou: t.exposeBoolean('resendAskedByYou', {
      description: 'Whether that was the caller.',
    }),
    takenBy: t.exposeString('takenBy', {
      nullable: true,
      description: 'Which operator works on it, since when and with what note; null for nobody.',
    }),
  }),
});

const BankBatches = builder.connectionObject({
  type: OperatorBankBatch,
  name: 'OperatorBankBatchConnection',
  description: 'A page of files for banks, those first that a person has to see to.',
});

const OperatorBankPayment = builder.objectRef<OperatedPayment>('OperatorBankPayment').implement({
  description: 'A payment in a file for a bank, and what became of it.',
  fields: (t) => ({
    position: t.exposeInt('position', { description: 'Its place in the file, from 1.' }),
    payoutId: t.exposeID('payoutId', { description: 'The payout.' }),
    attemptId: t.exposeID('attemptId', { description: 'The hand-over of the payout.' }),
    endToEndId: t.exposeString('endToEndId', {
      description: "Reference of the payout, which the payee's bank and every report repeat.",
    }),
    traceNumber: t.exposeString('traceNumber', {
      nullable: true,
      description: 'Its number in a Nacha file; null in other files.',
    }),
    amountMinor: t.expose('amountMinor', {
      type: 'MinorUnits',
      description: 'Minor units of currency.',
    }),
    currency: t.exposeString('currency', { description: 'ISO 4217 code.' }),
    state: t.expose('state', { type: PayoutStateEnum, description: 'The state of the payout.' }),
    failureCode: t.field({
      type: FailureCodeEnum,
      nullable: true,
      description: 'Why this hand-over failed; null where it did not.',
      resolve: ({ failureCode }) => failureCode as PayoutFailureCode | null,
    }),
    failureMessage: t.exposeString('failureMessage', {
      nullable: true,
      description: 'The same as a business reads it.',
    }),
    acknowledgedAt: t.expose('acknowledgedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the bank said that it has the payment; null where it has not.',
    }),
    debitedOn: t.exposeString('debitedOn', {
      nullable: true,
      description: 'The day on which a statement shows its debit, YYYY-MM-DD; null for none.',
    }),
    returnedOn: t.exposeString('returnedOn', {
      nullable: true,
      description: 'The day on which it came back, YYYY-MM-DD; null where it did not.',
    }),
  }),
});

const BankPayments = builder.connectionObject({
  type: OperatorBankPayment,
  name: 'OperatorBankPaymentConnection',
  description: 'A page of payments, in the order of the file.',
});

builder.queryFields((t) => ({
  operatorBankBatches: t.field({
    type: BankBatches,
    description:
      'Operators only. The files that are not certainly at their banks, with what a person can do, as ops.bank_batches says it: first those that wait for a person, then newest first.',
    args: listArgs,
    complexity: operatorPageCost,
    resolve: listPage('operatorBankBatches', listOpenBankBatches, openBatchPosition),
  }),
  operatorBankBatch: t.field({
    type: OperatorBankBatch,
    nullable: true,
    description: 'Operators only. One file for a bank; null for an unknown id.',
    args: { batchId: t.arg.id({ required: true, description: 'The batch.' }) },
    complexity: 20,
    resolve: (_root, { batchId }, context) => readOperatedBatch(context.operatorCall, batchId),
  }),
  operatorBankPayments: t.field({
    type: BankPayments,
    description:
      'Operators only. The payments of a file for a bank, in its order, with what became of each; none for an unknown id.',
    args: { batchId: t.arg.id({ required: true, description: 'The batch.' }), ...forwardArgs },
    complexity: operatorPageCost,
    resolve: (_root, { batchId, first, after }, context) =>
      operatorPage(context, {
        list: 'operatorBankPayments',
        filter: { batchId },
        first,
        after,
        fetch: (call, place, take) => listBatchPayments(call, batchId, { after: place, take }),
        position: ({ position }) => String(position),
      }),
  }),
}));
