import { exportBeneficiaries } from '../../src/domain/export/beneficiaries.ts';
import { exportKinds, type ExportFile } from '../../src/domain/export/csv.ts';
import { exportTransactions } from '../../src/domain/export/transactions.ts';
import { builder } from '../builder.ts';
import { PayoutStateEnum } from '../payout/type.ts';
import { leaveExport } from './handover.ts';

const ExportKindEnum = builder.enumType('ExportKind', {
  description: 'What an export holds.',
  values: exportKinds,
});

const Export = builder.objectRef<ExportFile>('Export').implement({
  description:
    'A CSV file (RFC 4180) that the caller may have. Its bytes come from GET /v1/reporting/transactions/export or GET /v1/beneficiaries/export.',
  fields: (t) => ({
    kind: t.expose('kind', { type: ExportKindEnum, description: 'What it holds.' }),
    filename: t.exposeString('filename', { description: 'Name that the file is saved under.' }),
    contentType: t.exposeString('contentType', { description: 'Media type of the file.' }),
    columns: t.exposeStringList('columns', { description: 'Header row of the file, in order.' }),
  }),
});

const TransactionsExportFilter = builder.inputType('TransactionsExportFilter', {
  description: 'Conditions that all hold.',
  fields: (t) => ({
    beneficiaryId: t.id({ description: 'Paid to this beneficiary.' }),
    state: t.field({ type: [PayoutStateEnum], description: 'In one of these states.' }),
    createdSince: t.string({ description: 'Created at this ISO 8601 date-time or later.' }),
    createdBefore: t.string({ description: 'Created before this ISO 8601 date-time.' }),
  }),
});

builder.queryFields((t) => ({
  transactionsExport: t.field({
    type: Export,
    description: 'Names the CSV of the whole filtered ledger, oldest payout first.',
    args: {
      filter: t.arg({ type: TransactionsExportFilter, description: 'Which payouts.' }),
    },
    resolve: (_root, { filter }, context) =>
      leaveExport(context, exportTransactions(context.call, filter ?? {})),
  }),
  beneficiariesExport: t.field({
    type: Export,
    description: 'Names the CSV of the address book, without archived beneficiaries.',
    resolve: (_root, _args, context) => leaveExport(context, exportBeneficiaries(context.call)),
  }),
}));
