import { createExport } from '../../src/domain/export/create.ts';
import { builder } from '../builder.ts';
import { LedgerEntryFilter } from '../ledger/filter.ts';
import { Export, ExportKindEnum, TransactionsExportFilter } from './type.ts';

const ExportCreateInput = builder.inputType('ExportCreateInput', {
  description: 'The export to be written.',
  fields: (t) => ({
    kind: t.field({ type: ExportKindEnum, required: true, description: 'What it is to hold.' }),
    filter: t.field({
      type: TransactionsExportFilter,
      description: 'Which payouts; the address book is exported as a whole.',
    }),
    entriesFilter: t.field({
      type: LedgerEntryFilter,
      description: 'Which entries of the books.',
    }),
  }),
});

builder.mutationFields((t) => ({
  exportCreate: t.field({
    nullable: true,
    type: Export,
    description:
      'Has a job write a CSV file, from one consistent snapshot. too_many_requests while too many of the tenant are under way.',
    args: {
      input: t.arg({
        type: ExportCreateInput,
        required: true,
        description: 'The export to be written.',
      }),
    },
    resolve: (_root, { input }, context) => createExport(context.call, input),
  }),
}));
