import { z } from 'zod';
import { dateTime } from '../../src/values/fields.ts';
import { documentedAs, id, nextCursor, pageQuery, repeatable, timestamp } from './common.ts';
import { schemaEnum } from './schema-enum.ts';

export const ledgerMode = schemaEnum('LedgerMode');
export const ledgerKind = schemaEnum('LedgerKind');
const ledgerAccount = schemaEnum('LedgerAccount');

/** A sum of the books, which a sum of many payouts may take beyond 2^53. Its digits are exact. */
export function ledgerSum(description: string) {
  return z
    .number()
    .refine(Number.isInteger)
    .meta({
      description: `${description}, in minor units of currency. It may be below zero, and beyond 2^53.`,
      override: documentedAs({ type: 'integer', format: 'int64' }),
    });
}

export const ledgerBalance = z
  .object({
    currency: z.string().meta({ description: 'ISO 4217.' }),
    posted_minor: ledgerSum('What is on the account funds'),
    held_minor: ledgerSum('Reserved for approved payouts'),
    available_minor: ledgerSum(
      'What may still be promised: posted less held. A sandbox draws nothing down, so there it is what is posted',
    ),
    in_transit_minor: ledgerSum('What the provider has and has not settled'),
    paid_minor: ledgerSum('What has arrived'),
    fees_minor: ledgerSum('What providers and banks took'),
    shortfall_minor: ledgerSum(
      'What approved payouts need more than there is while funds are enforced, because money went out after their approval; zero otherwise',
    ),
  })
  .meta({ id: 'LedgerBalance' });

const ledgerEntry = z
  .object({
    id,
    kind: ledgerKind,
    currency: z.string().meta({ description: 'ISO 4217.' }),
    amount_minor: z.int().meta({ description: 'Minor units of currency, always above zero.' }),
    debit_account: ledgerAccount.meta({ description: 'The account that it adds to.' }),
    credit_account: ledgerAccount.meta({
      description: 'The account that it takes from, or reserves on.',
    }),
    payout_id: z
      .string()
      .nullable()
      .meta({ description: 'The payout whose money it is; null where it is of none.' }),
    transition: z
      .object({
        seq: z.int().meta({ description: 'Number of the transition, from 1.' }),
        from_state: z.string().meta({ description: 'State before; new for the creation.' }),
        to_state: z.string().meta({ description: 'State after.' }),
      })
      .nullable()
      .meta({
        description: 'The transition of the payout that caused it; null where none did.',
      }),
    source: z.string().nullable().meta({
      description:
        'The report, statement line or order that caused it, which is booked once; null where a transition did.',
    }),
    recorded_at: timestamp,
  })
  .meta({ id: 'LedgerEntry' });

export const ledgerEntryList = z.object({ entries: z.array(ledgerEntry), next_cursor: nextCursor });

/** Which entries a list or an export holds. */
export const ledgerEntriesQuery = z.strictObject({
  payout_id: z.string().optional().meta({ description: 'Of this payout.' }),
  kind: repeatable(ledgerKind).meta({ description: 'Of one of these kinds; may be repeated.' }),
  recorded_since: dateTime.optional().meta({ description: 'Recorded at this time or later.' }),
  recorded_before: dateTime.optional().meta({ description: 'Recorded before this time.' }),
});

export const ledgerEntryListQuery = z.strictObject({ ...pageQuery, ...ledgerEntriesQuery.shape });
