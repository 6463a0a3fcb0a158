import { z } from 'zod';
import { requirePermission } from '../../src/access/scope.ts';
import { exportBeneficiaries } from '../../src/domain/export/beneficiaries.ts';
import { exportKinds } from '../../src/domain/export/csv.ts';
import { storedFile } from '../../src/domain/export/download.ts';
import { exportLedgerEntries } from '../../src/domain/export/ledger-entries.ts';
import { exportTransactions } from '../../src/domain/export/transactions.ts';
import { newestFirst } from '../../src/domain/page-range.ts';
import { isId } from '../../src/values/ids.ts';
import { parseInput } from '../../src/values/validate.ts';
import { builder } from '../builder.ts';
import { countedConnectionOf } from '../lists/connections.ts';
import { resolvePage } from '../lists/connection.ts';
import { pageArgs, pageCost } from '../lists/page-args.ts';
import { LedgerEntryFilter } from '../ledger/filter.ts';
import { leaveExport, leaveStored } from './handover.ts';
import { Export, ExportFileType, ExportKindEnum, TransactionsExportFilter } from './type.ts';

const ExportConnection = countedConnectionOf(
  Export,
  'ExportConnection',
  'A page of exports, newest first.',
);

const ExportsFilter = builder.inputType('ExportsFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    kind: t.field({ type: ExportKindEnum, description: 'Of this kind.' }),
    recurring: t.boolean({
      description: 'true: made by a schedule. false: requested.',
    }),
  }),
});

const filterInput = z.strictObject({
  kind: z.enum(exportKinds).nullish(),
  recurring: z.boolean().nullish(),
});

function where(given: unknown): Record<string, unknown> {
  const { kind, recurring } = parseInput(filterInput, given);
  return {
    ...(kind ? { kind } : {}),
    ...(typeof recurring === 'boolean' ? { scheduleId: recurring ? { not: null } : null } : {}),
  };
}

builder.queryFields((t) => ({
  transactionsExport: t.field({
    type: ExportFileType,
    description: 'The CSV export of all payouts that match, oldest first.',
    args: {
      filter: t.arg({ type: TransactionsExportFilter, description: 'Which payouts.' }),
    },
    resolve: (_root, { filter }, context) =>
      leaveExport(context, exportTransactions(context.call, filter ?? {})),
  }),
  beneficiariesExport: t.field({
    type: ExportFileType,
    description: 'The CSV export of the beneficiaries, without archived ones.',
    resolve: (_root, _args, context) => leaveExport(context, exportBeneficiaries(context.call)),
  }),
  ledgerEntriesExport: t.field({
    type: ExportFileType,
    description: 'The CSV export of all entries of the books that match, oldest first.',
    args: {
      filter: t.arg({ type: LedgerEntryFilter, description: 'Which entries.' }),
    },
    resolve: (_root, { filter }, context) =>
      leaveExport(context, exportLedgerEntries(context.call, filter ?? {})),
  }),
  export: t.field({
    type: Export,
    nullable: true,
    description: 'An export by its id, with its progress; null when unknown.',
    args: { id: t.arg.id({ required: true, description: 'Id of the export.' }) },
    resolve: async (_root, { id }, context) => {
      const { scope } = context.call;
      requirePermission(scope, 'read');
      if (!isId('export', id)) return null;
      const found = await context.prisma.export.findUnique({
        where: { tenantId_id: { tenantId: scope.tenantId, id } },
      });
      if (found !== null) leaveStored(context, storedFile(context.call, found));
      return found;
    },
  }),
  exports: t.field({
    type: ExportConnection,
    description: 'Exports that a job writes or has written, newest first, recurring ones included.',
    args: {
      ...pageArgs,
      filter: t.arg({ type: ExportsFilter, description: 'Which exports.' }),
    },
    complexity: pageCost(5),
    resolve: (_root, args, context) => {
      requirePermission(context.call.scope, 'read');
      const filter = where(args.filter ?? {});
      return resolvePage(context, {
        list: 'exports',
        filter,
        args,
        fetch: (range) => context.prisma.export.findMany(newestFirst(filter, range)),
        count: (most) => context.prisma.export.count({ where: filter, take: most }),
      });
    },
  }),
}));
