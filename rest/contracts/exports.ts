import { z } from 'zod';
import { dateTime } from '../../src/fields.ts';
import { repeatable } from './common.ts';
import { payoutState } from './payouts.ts';

/** Filters of the transactions ledger (specification 4.4, decisions 10). */
export const transactionsExportQuery = z.strictObject({
  beneficiary_id: z.string().optional().meta({ description: 'Paid to this beneficiary.' }),
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
