import { z } from 'zod';
import { setting } from './setting.ts';

/*
 * How much one caller may ask for, and for how long what a caller was told holds. They are read with
 * the other settings (`config.ts`) and enforced in the domain, so that every surface has the same;
 * the contracts document the defaults.
 */

const upTo = (most: number, least = 1) => z.coerce.number().int().min(least).max(most);

const [kibibyte, mebibyte] = [1_024, 1_048_576];

export const limitSettings = {
  PAGE_SIZE: setting({
    schema: upTo(1_000),
    fallback: '25',
    description: 'Rows of a page of a list where the caller names no number.',
  }),
  PAGE_SIZE_MAX: setting({
    schema: upTo(1_000),
    fallback: '100',
    description: 'Rows of a page at most.',
  }),
  BODY_MAX_BYTES: setting({
    schema: upTo(64 * mebibyte, 16 * kibibyte),
    fallback: '1048576',
    description: 'Largest body of a request, on REST and GraphQL.',
  }),
  BULK_BODY_MAX_BYTES: setting({
    schema: upTo(64 * mebibyte, 16 * kibibyte),
    fallback: '5242880',
    description: 'Largest body of a bulk request on REST.',
  }),
  PAYOUT_MAX_AMOUNT_MINOR: setting({
    schema: upTo(999_999_999_999),
    fallback: '999999999999',
    description: 'Largest amount of one payout, in minor units of its currency, whichever that is.',
  }),
  PAYOUT_BULK_ROWS: setting({
    schema: upTo(5_000),
    fallback: '1000',
    description: 'Payouts of one bulk request.',
  }),
  IDEMPOTENCY_HOURS: setting({
    schema: upTo(8_760),
    fallback: '24',
    description: 'Hours after which the idempotency key of a payout is free again.',
  }),
  DECISION_BULK_ROWS: setting({
    schema: upTo(1_000),
    fallback: '100',
    description: 'Payouts that one request may decide on.',
  }),
  DECISION_MAX_BYTES: setting({
    schema: upTo(mebibyte, kibibyte),
    fallback: '32768',
    description: "Bytes of JSON that a decision's reasons and evaluated_by may have together.",
  }),
  BANK_ACCOUNTS_PER_BENEFICIARY: setting({
    schema: upTo(1_000),
    fallback: '50',
    description: 'Bank accounts that one beneficiary may have.',
  }),
  COLLECTION_INVITES: setting({
    schema: upTo(1_000),
    fallback: '100',
    description: 'Invites of one request.',
  }),
  COLLECTION_BULK_ROWS: setting({
    schema: upTo(5_000),
    fallback: '1000',
    description: 'Rows of one bulk invite, as JSON or CSV.',
  }),
  COLLECTION_LINK_DAYS: setting({
    schema: upTo(365),
    fallback: '7',
    description: 'Days that a collection link lives.',
  }),
  COLLECTION_REPEAT_MINUTES: setting({
    schema: upTo(1_440),
    fallback: '15',
    description:
      'Minutes within which a repeated invite of an address finds the live link and mails nothing.',
  }),
  COLLECTION_RESEND_SECONDS: setting({
    schema: upTo(86_400),
    fallback: '60',
    description: 'Seconds between two links of one beneficiary at least.',
  }),
  TAX_DOCUMENT_MAX_MB: setting({
    schema: upTo(25),
    fallback: '10',
    description: 'Largest file of a tax document, in MiB.',
  }),
  WEBHOOK_TIMEOUT_MS: setting({
    schema: upTo(60_000, 1_000),
    fallback: '15000',
    description: 'How long one delivery of a webhook may take.',
  }),
  WEBHOOK_ANSWER_BYTES: setting({
    schema: upTo(mebibyte, kibibyte),
    fallback: '65536',
    description: "Bytes that are read of an endpoint's answer.",
  }),
} as const;
