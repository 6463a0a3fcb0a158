import { addPayoutBatchRows } from '../../src/domain/payout-batch/add-rows.ts';
import { cancelPayoutBatch } from '../../src/domain/payout-batch/cancel.ts';
import { checkPayoutBatch } from '../../src/domain/payout-batch/check.ts';
import {
  createPayoutBatch,
  type PayoutBatchCreated,
} from '../../src/domain/payout-batch/create.ts';
import { givenRowFields } from '../../src/domain/payout-batch/fields.ts';
import { leaveOutRows } from '../../src/domain/payout-batch/leave-out.ts';
import { submitPayoutBatch } from '../../src/domain/payout-batch/submit.ts';
import { bool, of } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { asked, shown } from '../common/fields.ts';
import { PayoutBatch } from './type.ts';

const PayoutBatchRowInput = builder.inputType('PayoutBatchRowInput', {
  description:
    'A payment of a batch. What is wrong with a value is told when the batch is checked; only a value that no row can hold is refused at once.',
  fields: (t) => asked(t, givenRowFields),
});

const PayoutBatchPayload = builder.objectRef<PayoutBatchCreated>('PayoutBatchPayload').implement({
  description: 'Answer to payoutBatchCreate.',
  fields: (t) =>
    shown(t, {
      batch: of(PayoutBatch, 'The batch.'),
      replayed: bool('Whether it existed: the key was used before with the same content.'),
    }),
});

builder.mutationFields((t) => ({
  payoutBatchCreate: t.field({
    type: PayoutBatchPayload,
    nullable: true,
    description:
      'Makes the draft of a batch of payouts. Nothing is paid before it is submitted and its payouts are approved.',
    args: {
      name: t.arg.string({ required: true, description: 'Its name, up to 120 characters.' }),
      idempotencyKey: t.arg.string({
        required: true,
        description: 'Repeating the request with the same key gives the same batch, for good.',
      }),
      rows: t.arg({
        type: [PayoutBatchRowInput],
        description: 'Up to 1,000 rows; payoutBatchRowsAdd adds more, up to 10,000 in all.',
      }),
    },
    resolve: (_root, args, { call }) => createPayoutBatch(call, args),
  }),
  payoutBatchRowsAdd: t.field({
    type: PayoutBatch,
    nullable: true,
    description:
      'Adds up to 1,000 rows to a draft. The same request, sent again, adds nothing; conflict where the batch has other rows there.',
    args: {
      payoutBatchId: t.arg.id({ required: true, description: 'The batch.' }),
      firstRow: t.arg.int({
        required: true,
        description: 'The number of the first of these rows: 1 more than the batch has.',
      }),
      rows: t.arg({ type: [PayoutBatchRowInput], required: true, description: 'The rows.' }),
    },
    resolve: (_root, { payoutBatchId, ...args }, { call }) =>
      addPayoutBatchRows(call, payoutBatchId, args),
  }),
  payoutBatchCheck: t.field({
    type: PayoutBatch,
    nullable: true,
    description:
      'Judges every row of a draft by what refuses any payout at this moment. It makes and reserves nothing.',
    args: { payoutBatchId: t.arg.id({ required: true, description: 'The batch.' }) },
    resolve: (_root, { payoutBatchId }, { call }) => checkPayoutBatch(call, payoutBatchId),
  }),
  payoutBatchRowsLeaveOut: t.field({
    type: PayoutBatch,
    nullable: true,
    description: 'Leaves rows of a draft out of what is paid, or takes them in again.',
    args: {
      payoutBatchId: t.arg.id({ required: true, description: 'The batch.' }),
      rows: t.arg.intList({ required: true, description: 'The numbers of up to 1,000 rows.' }),
      leftOut: t.arg.boolean({
        defaultValue: true,
        description: 'false takes them in again; true where it is absent.',
      }),
    },
    resolve: (_root, { payoutBatchId, rows, leftOut }, { call }) =>
      leaveOutRows(call, payoutBatchId, { rows, leftOut: leftOut ?? true }),
  }),
  payoutBatchSubmit: t.field({
    type: PayoutBatch,
    nullable: true,
    description:
      'Checks a draft once more and submits it: its payouts are made, and wait for their decisions. unprocessable_entity while a row is wrong that is not left out.',
    args: {
      payoutBatchId: t.arg.id({ required: true, description: 'The batch.' }),
      revision: t.arg.int({
        description: 'The revision that the caller has seen; conflict where there is a later one.',
      }),
    },
    resolve: (_root, { payoutBatchId, revision }, { call }) =>
      submitPayoutBatch(call, payoutBatchId, revision ?? null),
  }),
  payoutBatchCancel: t.field({
    type: PayoutBatch,
    nullable: true,
    description:
      'Cancels a draft or a submitted batch, and those of its payouts that are not handed over yet.',
    args: { payoutBatchId: t.arg.id({ required: true, description: 'The batch.' }) },
    resolve: (_root, { payoutBatchId }, { call }) => cancelPayoutBatch(call, payoutBatchId),
  }),
}));
