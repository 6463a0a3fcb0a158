import { z } from 'zod';
import { requirePermission } from '../../src/access/scope.ts';
import { readBatch, readBatches, readQueues } from '../../src/domain/bank-batch/list.ts';
import { text } from '../../src/values/fields.ts';
import { parseInput } from '../../src/values/validate.ts';
import { builder } from '../builder.ts';
import { connectionOf } from '../lists/connections.ts';
import { resolvePage } from '../lists/connection.ts';
import { pageArgs, pageCost } from '../lists/page-args.ts';
import { BankBatchObject, BankQueueObject } from './type.ts';

const BankBatchConnection = connectionOf(
  BankBatchObject,
  'BankBatchConnection',
  'A page of files for banks, newest first.',
);

const conditions = z.strictObject({ connectionId: text().nullish() });

builder.queryFields((t) => ({
  bankBatches: t.field({
    type: BankBatchConnection,
    description: 'The files for banks, newest first (docs/bank-batches.md).',
    args: {
      ...pageArgs,
      connectionId: t.arg.id({
        description: 'Only of this bank connection; of every one where absent.',
      }),
    },
    complexity: pageCost(5),
    resolve: (_root, { connectionId: asked, ...args }, context) => {
      const { connectionId = null } = parseInput(conditions, { connectionId: asked });
      return resolvePage(context, {
        list: 'bank batches',
        filter: { connectionId },
        args,
        fetch: (range) => readBatches(context.call, connectionId, range),
      });
    },
  }),
  bankBatch: t.field({
    type: BankBatchObject,
    nullable: true,
    description: 'One file for a bank; null for an unknown id.',
    args: { id: t.arg.id({ required: true, description: 'Id of the batch.' }) },
    resolve: (_root, { id }, context) => {
      requirePermission(context.call.scope, 'read');
      return readBatch(context.call, id);
    },
  }),
  bankQueues: t.field({
    type: [BankQueueObject],
    description: 'The approved payouts that wait for a file, by connection, scheme and currency.',
    resolve: (_root, _args, context) => {
      requirePermission(context.call.scope, 'read');
      return readQueues(context.call);
    },
  }),
}));
