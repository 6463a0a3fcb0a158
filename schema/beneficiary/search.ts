import {
  searchBeneficiaries,
  type FoundBeneficiaries,
} from '../../src/domain/beneficiary/search.ts';
import { bool, listOf } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { Beneficiary } from './type.ts';

const Found = builder.objectRef<FoundBeneficiaries>('BeneficiarySearchResult').implement({
  description: 'The beneficiaries that a text found.',
  fields: (t) =>
    shown(t, {
      beneficiaries: listOf(Beneficiary, 'By their legal names.'),
      more: bool('Whether there are more than these; a longer text finds fewer.'),
    }),
});

builder.queryField('beneficiarySearch', (t) =>
  t.field({
    type: Found,
    description:
      'Finds beneficiaries that are not archived by what a person has of them (docs/dashboards.md): any part of the legal name or nickname, or the whole e-mail address or id. Case and accents are ignored, and each word may stand anywhere; one of one or two letters begins a word.',
    args: {
      text: t.arg.string({
        required: true,
        description: 'A part of a name, an e-mail address or an id.',
      }),
      first: t.arg.int({
        defaultValue: 20,
        description: 'How many beneficiaries, 20 by default and 50 at most.',
      }),
    },
    // Seven walks through indexes. The list within counts tenfold by itself, as every list.
    complexity: ({ first }) => ({ field: 30, multiplier: Math.min(first ?? 20, 50) / 10 }),
    resolve: (_root, { text, first }, context) =>
      searchBeneficiaries(context.call, { text, first: first ?? 20 }),
  }),
);
