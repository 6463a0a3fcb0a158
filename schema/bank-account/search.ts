import { searchBankAccounts, type FoundAccounts } from '../../src/domain/bank-account/search.ts';
import { bool, listOf } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { BankAccount } from './type.ts';

const Found = builder.objectRef<FoundAccounts>('BankAccountSearchResult').implement({
  description: 'The bank accounts that a text found.',
  fields: (t) =>
    shown(t, {
      accounts: listOf(BankAccount, 'Newest first.'),
      more: bool('Whether there are more than these.'),
    }),
});

builder.queryField('bankAccountSearch', (t) =>
  t.field({
    type: Found,
    description:
      'Finds bank accounts by their last four characters or an id (docs/dashboards.md), those of archived beneficiaries too.',
    args: {
      text: t.arg.string({
        required: true,
        description: 'The last four characters, as `1234` or `****1234`, or an id.',
      }),
      first: t.arg.int({
        defaultValue: 5,
        description: 'How many accounts, 5 by default and 50 at most.',
      }),
    },
    // Two walks through indexes. The list within counts tenfold by itself, as every list.
    complexity: ({ first }) => ({ field: 10, multiplier: Math.min(first ?? 5, 50) / 10 }),
    resolve: (_root, { text, first }, context) =>
      searchBankAccounts(context.call, { text, first: first ?? 5 }),
  }),
);
