import {
  listBatchPayments,
  listOpenBankBatches,
  openBatchPosition,
  readOperatedBatch,
  type OperatedBatch,
  type OperatedPayment,
} from '../../src/domain/operator/bank-lists.ts';
import { BankBatchClosingEnum, BankBatchStatusEnum } from '../bank-batch/enums.ts';
import { BankSchemeEnum } from '../bank/enums.ts';
import {
  bool,
  id,
  int,
  minorUnits,
  minorUnitsTotal,
  of,
  stored,
  text,
  texts,
  time,
} from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { FailureCodeEnum, PayoutStateEnum } from '../payout/enums.ts';
import { forwardArgs } from '../lists/page-args.ts';
import { listArgs } from './args.ts';
import { listPage, OperatorListed } from './listed.ts';
import { operatorPage, operatorPageCost } from './page.ts';

const OperatorBankBatch = builder.objectRef<OperatedBatch>('OperatorBankBatch').implement({
  description: 'A file for a bank with what only operators see of it (docs/bank-batches.md).',
  interfaces: [OperatorListed],
  fields: (t) =>
    shown(t, {
      batchId: id('The batch.'),
      connectionId: id('The bank connection.'),
      connection: text('How people call the connection.'),
      scheme: stored(BankSchemeEnum, 'How the bank pays it.'),
      status: of(BankBatchStatusEnum, 'What is known of it.'),
      fileName: text('Name of the file at the bank.'),
      sha256: text('SHA-256 of the file, in hexadecimal digits.'),
      sizeBytes: int('Bytes of the file.'),
      messageId: text('Id of the message at the bank, which its status reports repeat.'),
      currency: text('ISO 4217 code.'),
      paymentCount: int('How many payments it has.'),
      controlSumMinor: minorUnitsTotal('What they come to, in minor units of currency.'),
      executionDate: text('The day on which the bank is asked to pay, YYYY-MM-DD.'),
      closedBy: of(BankBatchClosingEnum, 'Why it was closed.'),
      closedAt: time('When it was closed.'),
      sendingAt: time.orNull(
        'When a worker, or a person who downloaded it, began to bring it; null before.',
      ),
      sentAt: time.orNull('Since when it certainly is at the bank; null before.'),
      takenAt: time.orNull('When the last of its payments counted as handed over; null before.'),
      problem: text.orNull('Why the latest try did not bring it there; null where there is none.'),
      needsOperator: bool('Whether a person has to act.'),
      nextStep: text.orNull(
        'What a person can do. ops.record_bank_upload and ops.resolve_bank_batch are operatorBankBatchUploaded and operatorBankBatchResolve here.',
      ),
      byHand: bool('Whether people bring it to the bank.'),
      downloadedBy: texts(
        'Names of those who downloaded it. None of them can say that it was uploaded: operatorBankBatchUploaded needs another person.',
      ),
      downloadedByYou: bool('Whether the caller is one of them.'),
      uploadedBy: text.orNull('Name of who said that it was uploaded; null where nobody did.'),
      resendAskedBy: text.orNull(
        'Name of who found that the bank has not got it: a second person has to find so too before it is sent again. Null where nobody did.',
      ),
      resendAskedByYou: bool('Whether that was the caller.'),
      takenBy: text.orNull(
        'Which operator works on it, since when and with what note; null for nobody.',
      ),
    }),
});

const BankBatches = connectionOf(
  OperatorBankBatch,
  'OperatorBankBatchConnection',
  'A page of files for banks, those first that a person has to see to.',
);

const OperatorBankPayment = builder.objectRef<OperatedPayment>('OperatorBankPayment').implement({
  description: 'A payment in a file for a bank, and what became of it.',
  fields: (t) =>
    shown(t, {
      position: int('Its place in the file, from 1.'),
      payoutId: id('The payout.'),
      attemptId: id('The submission of the payout.'),
      endToEndId: text("Reference of the payout, which the payee's bank and every report repeat."),
      traceNumber: text.orNull('Its number in a Nacha file; null in other files.'),
      amountMinor: minorUnits('Minor units of currency.'),
      currency: text('ISO 4217 code.'),
      state: of(PayoutStateEnum, 'The state of the payout.'),
      failureCode: stored.orNull(
        FailureCodeEnum,
        'Why this submission failed; null where it did not.',
      ),
      failureMessage: text.orNull('The same as a business reads it.'),
      acknowledgedAt: time.orNull(
        'When the bank said that it has the payment; null where it has not.',
      ),
      debitedOn: text.orNull(
        'The day on which a statement shows its debit, YYYY-MM-DD; null for none.',
      ),
      returnedOn: text.orNull('The day on which it came back, YYYY-MM-DD; null where it did not.'),
    }),
});

const BankPayments = connectionOf(
  OperatorBankPayment,
  'OperatorBankPaymentConnection',
  'A page of payments, in the order of the file.',
);

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
