import { spreadOverTurns } from '../../src/concurrency/event-loop.ts';
import {
  bulkModes,
  bulkRowStatuses,
  createPayoutsInBulk,
  type BulkRow,
} from '../../src/domain/payout/bulk.ts';
import { decideInBulk, type BulkDecision } from '../../src/domain/payout/decide-bulk.ts';
import { builder } from '../builder.ts';
import { RowError, rowFailure } from '../common/row-error.ts';
import { DecisionReason, PayoutCreateInput } from './mutations.ts';
import { Payout } from './type.ts';

const BulkModeEnum = builder.enumType('BulkMode', {
  description: 'partial: what can be created is. atomic: all or none.',
  values: bulkModes,
});

const BulkRowStatusEnum = builder.enumType('BulkRowStatus', {
  description:
    'created; replayed: the payout was there before; failed: the row was refused; not_attempted: the row is in order and was not created, since another row of its atomic request failed.',
  values: bulkRowStatuses,
});

const PayoutBulkRow = builder.objectRef<BulkRow>('PayoutBulkRow').implement({
  description: 'The result of one row of a bulk request.',
  fields: (t) => ({
    index: t.exposeInt('index', { description: 'Position of the row in the request, from 0.' }),
    status: t.field({
      type: BulkRowStatusEnum,
      description: 'What became of the row.',
      resolve: (row) => row.status,
    }),
    payout: t.field({
      type: Payout,
      nullable: true,
      description: 'The payout; null for a row that failed or was not attempted, and in a dry run.',
      resolve: (row) => row.payout,
    }),
    error: t.field({
      type: RowError,
      nullable: true,
      description: 'Why the row failed; null unless it did.',
      resolve: (row) => rowFailure(row.error),
    }),
  }),
});

const PayoutBulkDecision = builder.objectRef<BulkDecision>('PayoutBulkDecision').implement({
  description: 'The result of deciding on one of several payouts.',
  fields: (t) => ({
    payoutId: t.exposeID('payoutId', { description: 'The payout decided on.' }),
    payout: t.field({
      type: Payout,
      nullable: true,
      description: 'The payout after the decision; null when it failed.',
      resolve: (result) => result.payout,
    }),
    error: t.field({
      type: RowError,
      nullable: true,
      description: 'Why the decision was refused.',
      resolve: (result) => rowFailure(result.error),
    }),
  }),
});

builder.mutationFields((t) => ({
  payoutBulkCreate: t.field({
    nullable: true,
    type: [PayoutBulkRow],
    description: 'Creates 1 to 1,000 payouts, each under its own idempotency key.',
    args: {
      payouts: t.arg({
        type: [PayoutCreateInput],
        // A null row is one that a surface refused by its shape: it fails, the others go on.
        required: { list: true, items: false },
        description: 'The payouts. A row has no dryRun of its own.',
      }),
      mode: t.arg({ type: BulkModeEnum, description: 'partial by default.' }),
      dryRun: t.arg.boolean({ description: 'Run every check and write nothing.' }),
    },
    resolve: async (_root, args, context) =>
      spreadOverTurns(await createPayoutsInBulk(context.call, args)),
  }),
  payoutBulkApprove: t.field({
    nullable: true,
    type: [PayoutBulkDecision],
    description: 'Approves up to 100 payouts; each succeeds or fails on its own.',
    args: {
      payoutIds: t.arg.idList({ required: true, description: 'The payouts.' }),
      reasons: t.arg({ type: [DecisionReason], description: 'Why, for each.' }),
    },
    resolve: (_root, { payoutIds, reasons }, context) =>
      decideInBulk(context.call, payoutIds, { status: 'approved', reasons: reasons ?? [] }),
  }),
  payoutBulkReject: t.field({
    nullable: true,
    type: [PayoutBulkDecision],
    description: 'Rejects up to 100 payouts, with at least one reason.',
    args: {
      payoutIds: t.arg.idList({ required: true, description: 'The payouts.' }),
      reasons: t.arg({ type: [DecisionReason], description: 'Why, for each; not empty.' }),
    },
    resolve: (_root, { payoutIds, reasons }, context) =>
      decideInBulk(context.call, payoutIds, { status: 'rejected', reasons: reasons ?? [] }),
  }),
}));
