import { readBooksChanges, type BooksChange } from '../../src/domain/ledger/changes.ts';
import { int, minorUnitsTotal, of, text } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { LedgerKindEnum } from './type.ts';

const BooksChangeObject = builder.objectRef<BooksChange>('BooksChange').implement({
  description: 'What the entries of one kind did to the books of one currency in a time.',
  fields: (t) =>
    shown(t, {
      currency: text('ISO 4217 code.'),
      kind: of(LedgerKindEnum, 'The kind of the entries.'),
      count: int('How many entries.'),
      amountMinor: minorUnitsTotal('What they come to, in minor units of currency.'),
      availableMinor: minorUnitsTotal(
        'What they did to what is available: below zero where they reserved it or took it away, zero where it was reserved before.',
      ),
    }),
});

builder.queryField('booksChanges', (t) =>
  t.field({
    type: [BooksChangeObject],
    description:
      'Why the balances of the books changed: the entries of a time of at most 31 days, by currency and kind (docs/ledger.md).',
    args: {
      since: t.arg({
        type: 'DateTime',
        required: true,
        description: 'Recorded at this time or later.',
      }),
      before: t.arg({
        type: 'DateTime',
        description: 'Recorded before this time; until now where absent.',
      }),
    },
    // It adds up every entry of the time.
    complexity: { field: 250 },
    resolve: (_root, { since, before }, context) =>
      readBooksChanges(context.call, { since, before }),
  }),
);
