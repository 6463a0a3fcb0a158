import { z } from 'zod';
import { failureCodes } from '../../../providers/port.ts';
import {
  currencyCode,
  dateTime,
  externalRef,
  idempotencyKey,
  text,
} from '../../../values/fields.ts';
import { anyOfStates } from '../input.ts';

/** The largest amount of a payout in minor units. */
const mostMinor = 999_999_999_999n;

const amount = z
  .union([z.int(), z.string().regex(/^\d{1,12}$/)], 'Must be an integer of minor units.')
  .transform(BigInt)
  .refine((value) => value >= 0n && value <= mostMinor, `Must be from 0 to ${mostMinor}.`);

const time = dateTime.nullish();

/** Ten years. */
const mostMinutes = 5_256_000;

/**
 * Conditions of a list of payouts. Text goes to the database as it is, so it must be text that the database
 * takes.
 */
export const payoutListFilter = z.strictObject({
  state: anyOfStates.nullish(),
  beneficiaryId: text().nullish(),
  externalRef: externalRef.nullish(),
  idempotencyKey: idempotencyKey.nullish(),
  updatedSince: time,
  updatedBefore: time,
  currency: currencyCode.nullish(),
  provider: text(64).nullish(),
  failureCode: z.enum(failureCodes).nullish(),
  createdSince: time,
  createdBefore: time,
  approvedSince: time,
  approvedBefore: time,
  disbursedSince: time,
  disbursedBefore: time,
  settledSince: time,
  settledBefore: time,
  amountMinorFrom: amount.nullish(),
  amountMinorTo: amount.nullish(),
  payeeName: text(64).nullish(),
  waitingMinutes: z.int().min(0).max(mostMinutes).nullish(),
  replaced: z.boolean().nullish(),
});
export type PayoutListFilter = z.output<typeof payoutListFilter>;

/** Why a payout failed or came back, as it is stored and looked for. */
export type PayoutFailureCode = (typeof failureCodes)[number];
