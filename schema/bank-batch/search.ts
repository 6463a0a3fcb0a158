import { searchBankBatches } from '../../src/domain/bank-batch/search.ts';
import { builder } from '../builder.ts';
import { BankBatchObject } from './type.ts';

builder.queryField('bankBatchSearch', (t) =>
  t.field({
    type: [BankBatchObject],
    description:
      'Finds files for banks, newest first, by their id or that of a payout in them, by the id of the message or the name of the file, each as a whole (docs/dashboards.md).',
    args: {
      text: t.arg.string({ required: true, description: 'An id, or a name, as a whole.' }),
      first: t.arg.int({
        defaultValue: 5,
        description: 'How many files, 5 by default and 50 at most.',
      }),
    },
    complexity: ({ first }) => ({ field: 20, multiplier: Math.min(first ?? 5, 50) / 5 }),
    resolve: (_root, { text, first }, context) =>
      searchBankBatches(context.call, { text, first: first ?? 5 }),
  }),
);
