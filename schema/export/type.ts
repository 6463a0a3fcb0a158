import type { ExportFile, ExportKind } from '../../src/domain/export/csv.ts';
import { exportStatus, type ExportStatus } from '../../src/domain/export/download.ts';
import { fromStored } from '../../src/domain/export/stored.ts';
import type { TransactionsConditions } from '../../src/domain/export/transactions.ts';
import type { EntriesConditions } from '../../src/domain/ledger/entry-list.ts';
import { id, of, stored, text, texts, time } from '../../src/values/columns.ts';
import { builder } from '../builder.ts';
import { shown } from '../common/fields.ts';
import { describedEnum } from '../common/described-enum.ts';
import { LedgerKindEnum } from '../ledger/type.ts';
import { PayoutStateEnum } from '../payout/enums.ts';

export const ExportKindEnum = describedEnum<ExportKind>('ExportKind', 'What an export holds.', {
  transactions: 'The payouts of the tenant.',
  beneficiaries: 'The beneficiaries of the tenant.',
  ledger_entries: 'The entries of the books of the tenant.',
  screenings: 'Who was screened when against which lists, and what was decided.',
  watchlist_days: 'The version and the age of each list of sanctions on each day.',
});

const ExportStatusEnum = describedEnum<ExportStatus>('ExportStatus', 'State of an export.', {
  pending: 'The job has not begun.',
  running: 'The file is being written.',
  completed: 'The file can be downloaded.',
  failed: 'The file could not be written.',
  expired: 'The time for downloads is over and the file is deleted.',
});

export const ExportFileType = builder.objectRef<ExportFile>('ExportFile').implement({
  description:
    'A CSV file (RFC 4180) that can be downloaded at once. Its bytes come from GET /v1/reporting/transactions/export, GET /v1/beneficiaries/export or GET /v1/funding/entries/export.',
  fields: (t) =>
    shown(t, {
      kind: of(ExportKindEnum, 'What it holds.'),
      filename: text('Name that the file is saved under.'),
      contentType: text('Media type of the file.'),
      columns: texts('Header row of the file, in order.'),
    }),
});

const ExportConditions = builder
  .objectRef<TransactionsConditions>('TransactionsExportConditions')
  .implement({
    description: 'Which payouts an export holds; conditions that all hold.',
    fields: (t) => ({
      beneficiaryId: t.id({
        nullable: true,
        description: 'Paid to this beneficiary.',
        resolve: (filter) => filter.beneficiaryId ?? null,
      }),
      payoutBatchId: t.id({
        nullable: true,
        description: 'Made of this batch.',
        resolve: (filter) => filter.payoutBatchId ?? null,
      }),
      state: t.field({
        type: [PayoutStateEnum],
        nullable: true,
        description: 'In one of these states.',
        resolve: (filter) => filter.state ?? null,
      }),
      createdSince: t.string({
        nullable: true,
        description: 'Created at this time or later.',
        resolve: (filter) => filter.createdSince ?? null,
      }),
      createdBefore: t.string({
        nullable: true,
        description: 'Created before this time.',
        resolve: (filter) => filter.createdBefore ?? null,
      }),
    }),
  });

const EntryConditions = builder
  .objectRef<EntriesConditions>('LedgerEntriesExportConditions')
  .implement({
    description: 'Which entries of the books an export holds; conditions that all hold.',
    fields: (t) => ({
      payoutId: t.id({
        nullable: true,
        description: 'Of this payout.',
        resolve: (filter) => filter.payoutId ?? null,
      }),
      kind: t.field({
        type: [LedgerKindEnum],
        nullable: true,
        description: 'Of one of these kinds.',
        resolve: (filter) => filter.kind ?? null,
      }),
      recordedSince: t.string({
        nullable: true,
        description: 'Recorded at this time or later.',
        resolve: (filter) => filter.recordedSince ?? null,
      }),
      recordedBefore: t.string({
        nullable: true,
        description: 'Recorded before this time.',
        resolve: (filter) => filter.recordedBefore ?? null,
      }),
    }),
  });

export const Export = builder.prismaNode('Export', {
  description:
    'A CSV file that a job writes, from one consistent snapshot. Its bytes come from GET /v1/exports/{id} until it expires.',
  id: { resolve: (found) => found.id },
  findUnique: (id, context) => ({ tenantId_id: { tenantId: context.call.scope.tenantId, id } }),
  nullable: true,
  fields: (t) =>
    shown(t, {
      kind: stored(ExportKindEnum, 'What it holds.'),
      status: t.field({
        type: ExportStatusEnum,
        description: 'State of the export.',
        resolve: exportStatus,
      }),
      filter: t.field({
        type: ExportConditions,
        nullable: true,
        description: 'Which payouts it holds; null for an export of something else.',
        resolve: ({ kind, filter }) => (kind === 'transactions' ? fromStored(kind, filter) : null),
      }),
      entriesFilter: t.field({
        type: EntryConditions,
        nullable: true,
        description: 'Which entries of the books it holds; null for an export of something else.',
        resolve: ({ kind, filter }) =>
          kind === 'ledger_entries' ? fromStored(kind, filter) : null,
      }),
      filename: text('Name that the file is saved under.'),
      rowCount: t.float({
        description:
          'Rows written so far without the header, an integer; all of them once completed.',
        resolve: (found) => Number(found.rowCount),
      }),
      byteCount: t.float({
        description: 'Bytes written so far, an integer; the size of the file once completed.',
        resolve: (found) => Number(found.byteCount),
      }),
      scheduleId: id.orNull(
        'The schedule that it recurs by (a UUID); null for one that was asked for.',
      ),
      failureMessage: t.exposeString('error', {
        nullable: true,
        description: 'Why it failed, in words; null unless it did.',
      }),
      createdAt: time('When it was asked for.'),
      startedAt: time.orNull(
        'When the latest run of its job began, and its snapshot with it; null before.',
      ),
      completedAt: time.orNull('When it was completed or failed; null before.'),
      expiresAt: time.orNull(
        'Until when the file can be downloaded; null while it is not completed.',
      ),
    }),
});

export const TransactionsExportFilter = builder.inputType('TransactionsExportFilter', {
  description: 'Conditions; all of them must hold.',
  fields: (t) => ({
    beneficiaryId: t.id({ description: 'Paid to this beneficiary.' }),
    payoutBatchId: t.id({ description: 'Made of this batch.' }),
    state: t.field({ type: [PayoutStateEnum], description: 'In one of these states.' }),
    createdSince: t.string({ description: 'Created at this ISO 8601 date-time or later.' }),
    createdBefore: t.string({ description: 'Created before this ISO 8601 date-time.' }),
  }),
});
