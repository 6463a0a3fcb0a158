import type { PayoutBatch as Batch } from '../../generated/prisma/client.ts';
import { batchRowFields, payoutBatchFields } from '../../src/domain/payout-batch/fields.ts';
import type { BatchRowShown } from '../../src/domain/payout-batch/list.ts';
import {
  readProblems,
  summarize,
  type BatchProblem,
  type BatchRoute,
  type BatchStateTotal,
  type BatchSummary,
  type BatchTotal,
} from '../../src/domain/payout-batch/summary.ts';
import { id, int, listOf, minorUnitsTotal, stored, text } from '../../src/values/columns.ts';
import { Author, authorOf } from '../access/author.ts';
import { builder } from '../builder.ts';
import { resolved, shown } from '../common/fields.ts';
import { RowError } from '../common/row-error.ts';
import { payoutById } from '../lists/rows.ts';
import { PayoutStateEnum } from '../payout/enums.ts';
import { Payout } from '../payout/type.ts';
import './enums.ts';

const StatusCount = builder
  .objectRef<BatchSummary['statuses'][number]>('PayoutBatchStatusCount')
  .implement({
    description: 'How many rows of a batch have a status.',
    fields: (t) =>
      shown(t, {
        status: stored('PayoutBatchRowStatus', 'The status.'),
        rows: int('How many rows have it.'),
      }),
  });

const Total = builder.objectRef<BatchTotal>('PayoutBatchTotal').implement({
  description: 'What a batch comes to in one currency, against the funds of this moment.',
  fields: (t) =>
    shown(t, {
      currency: text('ISO 4217 code.'),
      rows: int('Rows that are or may be paid: neither wrong, nor failed, nor left out.'),
      amountMinor: minorUnitsTotal('What they come to, in minor units of currency.'),
      undecidedMinor: minorUnitsTotal(
        'What of it no decision has let go yet, in minor units of currency.',
      ),
      availableMinor: minorUnitsTotal(
        'Posted funds, less what is held for approved payouts, in minor units of currency.',
      ),
      shortfallMinor: minorUnitsTotal(
        'What the funds lack for what is undecided, in minor units of currency; 0 where they cover it.',
      ),
    }),
});

const StateTotal = builder.objectRef<BatchStateTotal>('PayoutBatchStateTotal').implement({
  description: 'What the payouts of a batch that have one state come to in one currency.',
  fields: (t) =>
    shown(t, {
      state: t.expose('state', { type: PayoutStateEnum, description: 'The state.' }),
      currency: text('ISO 4217 code.'),
      payouts: int('How many payouts have it.'),
      amountMinor: minorUnitsTotal('What they come to, in minor units of currency.'),
    }),
});

const Route = builder.objectRef<BatchRoute>('PayoutBatchRoute').implement({
  description: 'What one provider pays of a batch, or would pay as the routes stood at the check.',
  fields: (t) =>
    shown(t, {
      provider: text.orNull('The provider; null where none is known.'),
      currency: text('ISO 4217 code.'),
      rows: int('How many rows.'),
      amountMinor: minorUnitsTotal('What they come to, in minor units of currency.'),
    }),
});

const Problem = builder.objectRef<BatchProblem>('PayoutBatchProblem').implement({
  description: 'Rows of a batch that are refused for one reason.',
  fields: (t) =>
    shown(t, {
      code: text('Code of the error catalogue.'),
      message: text('The same in words.'),
      rows: int('How many rows.'),
      firstRows: t.intList({
        description: 'The numbers of the first 50 of them.',
        resolve: ({ firstRows }) => [...firstRows],
      }),
    }),
});

const Summary = builder.objectRef<BatchSummary>('PayoutBatchSummary').implement({
  description: 'How far a batch is, and what it comes to.',
  fields: (t) =>
    shown(t, {
      statuses: listOf(StatusCount, 'Its rows by what became of them.'),
      totals: listOf(Total, 'What it comes to in each currency.'),
      states: listOf(StateTotal, 'Its payouts by state and currency.'),
      routes: listOf(Route, 'Who pays it, or would.'),
    }),
});

/** One of them is read for each batch, so a list of batches should select it for few. */
const costOfRows = 40;

const { isChecked, ...stands } = payoutBatchFields;

export const PayoutBatch = builder.objectRef<Batch>('PayoutBatch').implement({
  description:
    'Payments that are checked as a whole and submitted as one thing. Each of its payouts has a life of its own.',
  fields: (t) =>
    shown(t, {
      id: id('Its id.'),
      ...stands,
      isChecked: resolved(t, isChecked, (batch) => batch.checkedRevision === batch.revision),
      createdBy: t.field({
        type: Author,
        nullable: true,
        description: 'Who made it.',
        resolve: ({ createdBy }) => authorOf(createdBy),
      }),
      submittedBy: t.field({
        type: Author,
        nullable: true,
        description: 'Who submitted it; null before.',
        resolve: ({ submittedBy }) => authorOf(submittedBy),
      }),
      canceledBy: t.field({
        type: Author,
        nullable: true,
        description: 'Who canceled it; null unless it was.',
        resolve: ({ canceledBy }) => authorOf(canceledBy),
      }),
      summary: t.field({
        type: Summary,
        description: 'How far it is, and what it comes to.',
        complexity: costOfRows,
        resolve: (batch, _args, { call }) => summarize(call, batch.id),
      }),
      problems: t.field({
        type: [Problem],
        description: 'Why rows are refused, the most frequent reason first; 100 reasons at most.',
        complexity: costOfRows,
        resolve: (batch, _args, { call }) => readProblems(call, batch.id),
      }),
    }),
});

export const PayoutBatchRow = builder.objectRef<BatchRowShown>('PayoutBatchRow').implement({
  description: 'A row of a batch: what was given for one payout, and what became of it.',
  fields: (t) =>
    shown(t, {
      ...batchRowFields,
      error: t.field({
        type: RowError,
        nullable: true,
        description: 'Why it is wrong, or no payout could be made of it; null otherwise.',
        resolve: ({ error }) => error as typeof RowError.$inferType | null,
      }),
      payout: t.field({
        type: Payout,
        nullable: true,
        description: 'The payout that was made of it; null before.',
        resolve: ({ payoutId }, _args, context) =>
          payoutId === null ? null : payoutById(context, payoutId),
      }),
    }),
});
