import {
  listBatchPayments,
  listOpenBankBatches,
  openBatchPosition,
  readOperatedBatch,
  type OperatedBatch,
  type OperatedPayment,
} from '../../src/domain/operator/bank-lists.ts';
import { batchFields, batchPaymentFields } from '../../src/domain/bank-batch/fields.ts';
import '../bank-batch/enums.ts';
import '../bank/enums.ts';
import { bool, id, minorUnits, of, stored, text, texts, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { connectionOf } from '../lists/connections.ts';
import { FailureCodeEnum, PayoutStateEnum } from '../payout/enums.ts';
import { forwardArgs } from '../lists/page-args.ts';
import { listArgs } from './args.ts';
import { listPage, ofConnection, OperatorListed, taken } from './listed.ts';
import { operatorPage, operatorPageCost } from './page.ts';

const OperatorBankBatch = builder.objectRef<OperatedBatch>('OperatorBankBatch').implement({
  description: 'A file for a bank with what only operators see of it (docs/bank-batches.md).',
  interfaces: [OperatorListed],
  fields: (t) =>
    shown(t, {
      batchId: id('The batch.'),
      ...batchFields,
      ...ofConnection,
      sendingAt: time.orNull(
        'When a worker, or a person who downloaded it, began to bring it; null before.',
      ),
      takenAt: time.orNull('When the last of its payments counted as handed over; null before.'),
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
      ...taken,
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
      ...batchPaymentFields,
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
