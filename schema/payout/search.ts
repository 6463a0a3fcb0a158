import { searchPayouts, type SearchHits } from '../../src/domain/payout/search/search.ts';
import type { SearchKind } from '../../src/domain/payout/search/statement.ts';
import { bool, listOf, of } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { Payout } from './type.ts';

const SearchKindEnum = describedEnum<SearchKind>(
  'PayoutSearchKind',
  'What of a payout a text that is looked for can be.',
  {
    id: 'Its id.',
    external_ref: "The business's own reference, exactly.",
    idempotency_key: 'The key that it was created with, exactly.',
    beneficiary_id: 'The id of its payee.',
    provider_payout_id: "The provider's id of one of its attempts.",
    payee_name:
      "The beginning of the payee's legal name at the creation, or any part of its names today. Case and accents are ignored.",
    account: 'The last four characters of the account that it goes to.',
    amount: 'The amount in major units, in the currency named or in any.',
  },
);

const PayoutSearchHits = builder.objectRef<SearchHits>('PayoutSearchHits').implement({
  description: 'The payouts that were found by one thing.',
  fields: (t) =>
    shown(t, {
      kind: of(SearchKindEnum, 'What of them the text is.'),
      payouts: listOf(Payout, 'The newest of them, newest first.'),
      more: bool('Whether there are more than these. The list payouts with a filter has them all.'),
    }),
});

builder.queryField('payoutSearch', (t) =>
  t.field({
    type: [PayoutSearchHits],
    description:
      'Finds payouts by what a person has of them (docs/dashboards.md). Of each kind of hit it answers with the newest; kinds without a hit are left out.',
    args: {
      text: t.arg.string({
        required: true,
        description:
          'An id, a reference, a key, any part of a name, the last four characters of an account, or an amount such as "1,234.50 EUR".',
      }),
      first: t.arg.int({
        defaultValue: 5,
        description: 'How many payouts of each kind, 5 by default and 25 at most.',
      }),
    },
    // Eight walks through indexes, each of a page.
    complexity: ({ first }) => ({ field: 50, multiplier: Math.min(first ?? 5, 25) / 3 }),
    resolve: (_root, { text, first }, context) =>
      searchPayouts(context.call, { text, first: first ?? 5 }),
  }),
);
