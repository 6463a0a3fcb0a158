import { z } from 'zod';
import { idempotencyKey } from '../../values/fields.ts';
import { batchName, givenRowFields } from './fields.ts';

/** A row as it is given. */
const row = z.strictObject({
  beneficiaryId: givenRowFields.beneficiaryId.input,
  bankAccountId: givenRowFields.bankAccountId.input,
  amountMinor: givenRowFields.amountMinor.input,
  currency: givenRowFields.currency.input,
  purposeOfPayment: givenRowFields.purposeOfPayment.input,
  externalRef: givenRowFields.externalRef.input,
  metadata: givenRowFields.metadata.input,
});
export type BatchRowInput = z.input<typeof row>;
type GivenBatchRow = z.output<typeof row>;

const batchRows = z.array(row);

/** Input of the command that makes a draft. */
export const batchCreateInput = z.strictObject({
  name: batchName,
  idempotencyKey,
  rows: batchRows.nullish().transform((rows) => rows ?? []),
});
export type BatchCreateInput = z.input<typeof batchCreateInput>;

/** Input of the command that adds rows. */
export const batchAddInput = z.strictObject({
  firstRow: z.int32().min(1),
  rows: batchRows.min(1),
});
export type BatchAddInput = z.input<typeof batchAddInput>;

/** Rows that are named by their numbers. */
export const rowNumbers = z.strictObject({
  rows: z
    .array(z.int32().min(1))
    .min(1)
    .transform((rows) => [...new Set(rows)].toSorted((a, b) => a - b)),
  leftOut: z.boolean(),
});

/** What `jsonb` holds of a row, by the names of the columns. */
export function wireRows(first: number, rows: readonly GivenBatchRow[]): object[] {
  return rows.map((given, index) => ({
    n: first + index,
    beneficiary_id: given.beneficiaryId,
    bank_account_id: given.bankAccountId,
    amount_given: String(given.amountMinor),
    amount_minor: minorUnits(given.amountMinor),
    currency: given.currency,
    purpose_of_payment: given.purposeOfPayment ?? null,
    external_ref: given.externalRef ?? null,
    metadata: metadataOf(given.metadata),
  }));
}

/** Empty metadata and none are the same. */
const metadataOf = (metadata: GivenBatchRow['metadata']): object | null =>
  metadata && Object.keys(metadata).length > 0 ? metadata : null;

/** The digits of an integer that JSON and a column hold exactly; a text is no amount, as in every request. */
function minorUnits(given: GivenBatchRow['amountMinor']): number | null {
  if (typeof given === 'string') return null;
  const amount = Number(given);
  return Number.isSafeInteger(amount) ? amount : null;
}
