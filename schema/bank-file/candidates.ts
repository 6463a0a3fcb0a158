import { readCandidates, type LineCandidate } from '../../src/domain/bank-file/candidates.ts';
import { id, minorUnitsTotal, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { loadBy } from '../lists/loader.ts';
import { BankLine } from './type.ts';

export const BankLineCandidate = builder.objectRef<LineCandidate>('BankLineCandidate').implement({
  description:
    'A payment, or a file with its payments, of just the amount of a movement, whose own movement nobody has found.',
  fields: (t) =>
    shown(t, {
      subjectId: id('What the movement would be matched with: the payout, or the batch.'),
      payoutId: id.orNull('The payout; null for a batch as a whole.'),
      batchId: id('The batch whose file has it.'),
      amountMinor: minorUnitsTotal('Minor units of currency.'),
      currency: text('ISO 4217 code.'),
      executionDate: text('The day on which the bank was asked to pay, YYYY-MM-DD.'),
      endToEndId: text.orNull('Reference of the payment; null for a batch.'),
    }),
});

const candidatesOf = loadBy(readCandidates, (line: string) => line);

builder.prismaObjectField(BankLine, 'candidates', (t) =>
  t.field({
    type: [BankLineCandidate],
    description:
      'What it may show: up to five payments or files of its amount, likeliest first. Empty where it is matched or explained.',
    complexity: 10,
    resolve: ({ id: line }, _args, context) => candidatesOf(context, line),
  }),
);
