import { z } from 'zod';
import { dateTime } from '../../src/values/fields.ts';
import {
  documentedAs,
  id,
  nextCursor,
  pageQuery,
  pathId,
  repeatable,
  timestamp,
} from './common.ts';
import { ledgerKind } from './ledger.ts';
import { payoutState } from './payouts.ts';
import { schemaEnum } from './schema-enum.ts';

/** Which payouts an export holds. */
export const transactionsExportQuery = z.strictObject({
  beneficiary_id: z.string().optional().meta({ description: 'Paid to this beneficiary.' }),
  payout_batch_id: z.string().optional().meta({ description: 'Made of this batch.' }),
  state: repeatable(payoutState).meta({
    description: 'In one of these states; may be repeated.',
  }),
  created_since: dateTime.optional().meta({ description: 'Created at this time or later.' }),
  created_before: dateTime.optional().meta({ description: 'Created before this time.' }),
});

/** The body of a CSV answer. */
export const csvFile = z.string().meta({
  description: 'RFC 4180: header row, CRLF line ends, UTF-8.',
});

const exportKind = schemaEnum('ExportKind');

const exportFields = z
  .object({
    id,
    kind: exportKind,
    status: schemaEnum('ExportStatus'),
    filter: z
      .object({
        beneficiary_id: z.string().nullable(),
        payout_batch_id: z.string().nullable(),
        state: z.array(payoutState).nullable(),
        created_since: z.string().nullable(),
        created_before: z.string().nullable(),
      })
      .nullable()
      .meta({ description: 'Which payouts it holds; null for an export of something else.' }),
    entries_filter: z
      .object({
        payout_id: z.string().nullable(),
        kind: z.array(ledgerKind).nullable(),
        recorded_since: z.string().nullable(),
        recorded_before: z.string().nullable(),
      })
      .nullable()
      .meta({
        description: 'Which entries of the books it holds; null for an export of something else.',
      }),
    filename: z.string(),
    row_count: z.int().meta({ description: 'Rows written so far, without the header.' }),
    byte_count: z.int().meta({ description: 'Bytes written so far.' }),
    schedule_id: z
      .string()
      .nullable()
      .meta({ description: 'The schedule that made it; null for one that was requested.' }),
    failure_message: z.string().nullable(),
    created_at: timestamp,
    started_at: timestamp.nullable(),
    completed_at: timestamp.nullable(),
    expires_at: timestamp
      .nullable()
      .meta({ description: 'When the download ends; null until the export is completed.' }),
  })
  .meta({ id: 'Export' });

export const exportEnvelope = z.object({ export: exportFields });
export const exportList = z.object({ exports: z.array(exportFields), next_cursor: nextCursor });

export const exportListQuery = z.strictObject({
  ...pageQuery,
  kind: exportKind.optional().meta({ description: 'Of this kind.' }),
  recurring: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({
      description: 'true: made by a schedule. false: requested.',
      override: documentedAs({ type: 'boolean' }),
    }),
});

export const exportParams = z.strictObject({ exportId: pathId('export') });

/** Of an operation that a job can do instead of the request (RFC 7240, section 4.1). */
export const preferHeader = z.object({
  Prefer: z.string().optional().meta({
    description:
      '`respond-async`: a job writes the file; the answer is 202 with the export and its `Location`.',
  }),
});

/** Of a download that can go on where it broke off (RFC 9110, section 14). */
export const rangeHeaders = z.object({
  Range: z.string().optional().meta({
    description: 'One range of bytes, for example `bytes=1048576-`; the answer is 206.',
  }),
  'If-Range': z.string().optional().meta({
    description:
      'ETag of the file whose beginning you have. If the file has changed, it is sent whole.',
  }),
  'If-None-Match': z.string().optional().meta({
    description: 'ETag of the file that you have. The answer is 304 if it has not changed.',
  }),
});
