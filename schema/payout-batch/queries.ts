import { z } from 'zod';
import { requirePermission } from '../../src/access/scope.ts';
import { listBatchRows, listPayoutBatches } from '../../src/domain/payout-batch/list.ts';
import { batchRowStatuses } from '../../src/domain/payout-batch/names.ts';
import { findPayoutBatch, readPayoutBatch } from '../../src/domain/payout-batch/store.ts';
import { parseInput } from '../../src/values/validate.ts';
import { builder } from '../builder.ts';
import { resolvePage } from '../lists/connection.ts';
import { connectionOf } from '../lists/connections.ts';
import { pageArgs, pageCost } from '../lists/page-args.ts';
import { PayoutBatchRowStatusEnum } from './enums.ts';
import { PayoutBatch, PayoutBatchRow } from './type.ts';

const PayoutBatchConnection = connectionOf(
  PayoutBatch,
  'PayoutBatchConnection',
  'A page of batches of payouts, newest first.',
);

const PayoutBatchRowConnection = connectionOf(
  PayoutBatchRow,
  'PayoutBatchRowConnection',
  'A page of the rows of a batch, in their order.',
);

const conditions = z.strictObject({
  status: z
    .array(z.enum(batchRowStatuses))
    .nullish()
    .transform((statuses) => (statuses ? [...new Set(statuses)].toSorted() : null)),
});

builder.queryFields((t) => ({
  payoutBatches: t.field({
    type: PayoutBatchConnection,
    description: 'The batches of payouts, newest first.',
    args: pageArgs,
    complexity: pageCost(5),
    resolve: (_root, args, context) =>
      resolvePage(context, {
        list: 'payout batches',
        filter: {},
        args,
        fetch: (range) => listPayoutBatches(context.call, range),
      }),
  }),
  payoutBatch: t.field({
    type: PayoutBatch,
    nullable: true,
    description: 'A batch of payouts by its id; null when unknown.',
    args: { payoutBatchId: t.arg.id({ required: true, description: 'Id of the batch.' }) },
    resolve: (_root, { payoutBatchId }, { call }) => {
      requirePermission(call.scope, 'read');
      return findPayoutBatch(call, payoutBatchId);
    },
  }),
  payoutBatchRows: t.field({
    type: PayoutBatchRowConnection,
    description: 'The rows of a batch of payouts in their order; not_found for an unknown batch.',
    args: {
      ...pageArgs,
      payoutBatchId: t.arg.id({ required: true, description: 'Id of the batch.' }),
      status: t.arg({ type: [PayoutBatchRowStatusEnum], description: 'Of one of these statuses.' }),
    },
    complexity: pageCost(5),
    resolve: async (_root, { payoutBatchId, status, ...args }, context) => {
      requirePermission(context.call.scope, 'read');
      const { id } = await readPayoutBatch(context.call, payoutBatchId);
      const { status: statuses } = parseInput(conditions, { status });
      return resolvePage(context, {
        list: 'payout batch rows',
        filter: { id, statuses },
        args,
        fetch: (range) => listBatchRows(context.call, id, statuses, range),
      });
    },
  }),
}));
