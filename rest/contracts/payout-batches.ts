import { z } from 'zod';
import {
  batchName,
  batchRowFields,
  givenRowFields,
  payoutBatchFields,
} from '../../src/domain/payout-batch/fields.ts';
import { idempotencyKey } from '../../src/values/fields.ts';
import { purposesOfPayment } from '../../src/reference/purposes.ts';
import {
  documentedAs,
  id,
  mostRows,
  nextCursor,
  openAmount,
  openCurrency,
  pageQuery,
  pathId,
  repeatable,
  rowError,
} from './common.ts';
import { answered, byWireName } from './declared.ts';
import { ledgerSum } from './ledger.ts';
import { payoutState } from './payouts.ts';
import { schemaEnum } from './schema-enum.ts';

const payoutBatch = z
  .object(
    byWireName({
      id,
      ...answered({ ...payoutBatchFields }, { rowCount: z.int(), revision: z.int() }),
    }),
  )
  .meta({ id: 'PayoutBatch' });

const currency = z.string().meta({ description: 'ISO 4217.' });
const rowCount = z.int().meta({ description: 'How many rows.' });
const amountMinor = ledgerSum('What they come to');

const summary = z
  .object({
    statuses: z.array(
      z
        .object({ status: schemaEnum('PayoutBatchRowStatus'), rows: rowCount })
        .meta({ id: 'PayoutBatchStatusCount' }),
    ),
    totals: z.array(
      z
        .object({
          currency,
          rows: rowCount,
          amount_minor: amountMinor,
          undecided_minor: ledgerSum('What of it no decision has let go yet'),
          available_minor: ledgerSum('Posted funds, less what is held for approved payouts'),
          shortfall_minor: ledgerSum(
            'What the funds lack for what is undecided; 0 where they cover it',
          ),
        })
        .meta({ id: 'PayoutBatchTotal' }),
    ),
    states: z.array(
      z
        .object({ state: payoutState, currency, payouts: z.int(), amount_minor: amountMinor })
        .meta({ id: 'PayoutBatchStateTotal' }),
    ),
    routes: z.array(
      z
        .object({
          provider: z.string().nullable(),
          currency,
          rows: rowCount,
          amount_minor: amountMinor,
        })
        .meta({ id: 'PayoutBatchRoute' }),
    ),
  })
  .meta({ id: 'PayoutBatchSummary' });

const problem = z
  .object({
    code: z.string(),
    message: z.string(),
    rows: rowCount,
    first_rows: z.array(z.int()),
  })
  .meta({ id: 'PayoutBatchProblem' });

export const batchEnvelope = z.object({ payout_batch: payoutBatch });
export const batchWithSummary = z.object({
  payout_batch: payoutBatch,
  summary,
  problems: z
    .array(problem)
    .meta({ description: 'Why rows are refused, the most frequent reason first.' }),
});
export const batchList = z.object({
  payout_batches: z.array(payoutBatch),
  next_cursor: nextCursor,
});
export const batchListQuery = z.strictObject(pageQuery);
export const batchParams = z.strictObject({ payoutBatchId: pathId('batch') });

const { metadata, ...given } = givenRowFields;

const rowInput = z
  .strictObject({
    ...byWireName(
      Object.fromEntries(Object.entries(given).map(([name, { input }]) => [name, input])),
    ),
    amount_minor: openAmount(1, 'Minor units of currency: 1250 is USD 12.50 and JPY 1250.'),
    currency: openCurrency("ISO 4217; the bank account's currency."),
    purpose_of_payment: given.purposeOfPayment.input.meta({
      override: documentedAs({ type: 'string', enum: [...purposesOfPayment] }),
    }),
    metadata: metadata.input,
  })
  .meta({ id: 'PayoutBatchRowGiven' });

const rowsInput = z.array(rowInput).max(mostRows).meta({ maxItems: 1_000 });

export const batchCreateBody = z
  .strictObject({
    name: batchName.meta({ description: 'Its name, for people.' }),
    idempotency_key: idempotencyKey.meta({
      description: 'Required here or as the header Idempotency-Key. It is remembered for good.',
    }),
    rows: rowsInput.optional().meta({ description: 'Up to 1,000 rows; further ones are added.' }),
  })
  .meta({
    id: 'PayoutBatchCreate',
    override: ({ jsonSchema }) => {
      jsonSchema.required = (jsonSchema.required ?? []).filter(
        (name) => name !== 'idempotency_key',
      );
    },
  });

export const batchAddBody = z
  .strictObject({
    first_row: z.int32().min(1).meta({
      description: 'The number of the first of these rows: 1 more than the batch has.',
    }),
    rows: rowsInput.min(1).meta({ description: 'Up to 1,000 rows.' }),
  })
  .meta({ id: 'PayoutBatchAdd' });

export const leaveOutBody = z
  .strictObject({
    rows: z
      .array(z.int32().min(1))
      .min(1)
      .max(mostRows)
      .meta({ description: 'The numbers of up to 1,000 rows.' }),
    left_out: z
      .boolean()
      .optional()
      .meta({ description: 'false takes them in again; true where it is absent.' }),
  })
  .meta({ id: 'PayoutBatchLeaveOut' });

export const submitBody = z
  .strictObject({
    revision: z.int32().min(0).optional().meta({
      description: 'The revision that you have seen; 409 where there is a later one.',
    }),
  })
  .optional()
  .meta({ id: 'PayoutBatchSubmit' });

export const batchRowsQuery = z.strictObject({
  ...pageQuery,
  status: repeatable(schemaEnum('PayoutBatchRowStatus')).meta({
    description: 'Of this status; may be repeated.',
  }),
});

const batchRow = z
  .object(
    byWireName({
      ...answered(
        { ...batchRowFields },
        {
          row: z.int(),
          amountMinor: ledgerSum('The amount'),
          metadata: z.record(z.string(), z.string()),
        },
      ),
      error: rowError.nullable(),
    }),
  )
  .meta({ id: 'PayoutBatchRow' });

export const batchRowList = z.object({ rows: z.array(batchRow), next_cursor: nextCursor });
