import { z } from 'zod';
import { setting } from './setting.ts';

/*
 * How much one request may ask for, and how long links and idempotency keys are valid. The domain
 * enforces these limits, so that REST and GraphQL have the same ones; the contracts document the
 * defaults.
 */

const upTo = (most: number, least = 1) => z.coerce.number().int().min(least).max(most);

const [kibibyte, mebibyte] = [1_024, 1_048_576];

export const limitSettings = {
  PAGE_SIZE: setting({
    schema: upTo(1_000),
    fallback: '25',
    description: 'Rows of a page of a list when the caller names no number.',
  }),
  PAGE_SIZE_MAX: setting({
    schema: upTo(1_000),
    fallback: '100',
    description: 'Most rows that a caller may ask of a page.',
  }),
  BODY_MAX_BYTES: setting({
    schema: upTo(64 * mebibyte, 16 * kibibyte),
    fallback: '1048576',
    description: 'Bytes of the largest request body, on REST and GraphQL.',
  }),
  OPERATOR_BODY_MAX_BYTES: setting({
    schema: upTo(64 * mebibyte, 16 * kibibyte),
    fallback: '22020096',
    description:
      "Bytes of the largest GraphQL request of an operator. It has room for a bank's file of 15 MiB, which base64 makes a third larger.",
  }),
  BULK_BODY_MAX_BYTES: setting({
    schema: upTo(64 * mebibyte, 16 * kibibyte),
    fallback: '5242880',
    description: 'Bytes of the largest body of a bulk request on REST.',
  }),
  PAYOUT_MAX_AMOUNT_MINOR: setting({
    schema: upTo(999_999_999_999),
    fallback: '999999999999',
    description:
      'Largest amount of one payout, in minor units of its currency. It is the same number for every currency.',
  }),
  PAYOUT_BULK_ROWS: setting({
    schema: upTo(5_000),
    fallback: '1000',
    description: 'Most payouts of one bulk request.',
  }),
  PAYOUT_BATCH_ROWS: setting({
    schema: upTo(100_000),
    fallback: '10000',
    description: 'Most rows of one batch of payouts.',
  }),
  IDEMPOTENCY_HOURS: setting({
    schema: upTo(8_760),
    fallback: '24',
    description:
      'Hours for which an idempotency key is remembered. Afterwards the same key makes another payout, or another payee.',
  }),
  DECISION_BULK_ROWS: setting({
    schema: upTo(1_000),
    fallback: '100',
    description: 'Most payouts that one request may decide on.',
  }),
  DECISION_MAX_BYTES: setting({
    schema: upTo(mebibyte, kibibyte),
    fallback: '32768',
    description: "Bytes of JSON that a decision's `reasons` and `evaluated_by` may have together.",
  }),
  BANK_ACCOUNTS_PER_BENEFICIARY: setting({
    schema: upTo(1_000),
    fallback: '50',
    description: 'Most bank accounts of one beneficiary.',
  }),
  COLLECTION_INVITES: setting({
    schema: upTo(1_000),
    fallback: '100',
    description: 'Most invites of one request.',
  }),
  COLLECTION_BULK_ROWS: setting({
    schema: upTo(5_000),
    fallback: '1000',
    description: 'Most rows of one bulk invite, as JSON or CSV.',
  }),
  COLLECTION_LINK_DAYS: setting({
    schema: upTo(365),
    fallback: '7',
    description: 'Days for which a collection link is valid.',
  }),
  COLLECTION_REPEAT_MINUTES: setting({
    schema: upTo(1_440),
    fallback: '15',
    description:
      'Minutes in which a repeated invite to the same address finds the link that was sent and mails nothing.',
  }),
  COLLECTION_RESEND_SECONDS: setting({
    schema: upTo(86_400),
    fallback: '60',
    description: 'Least seconds between two links to one beneficiary.',
  }),
  TAX_DOCUMENT_MAX_MB: setting({
    schema: upTo(25),
    fallback: '10',
    description: 'MiB of the largest file of a tax document.',
  }),
  WEBHOOK_TIMEOUT_MS: setting({
    schema: upTo(60_000, 1_000),
    fallback: '15000',
    description: 'Milliseconds that one attempt to deliver a webhook may take.',
  }),
  WEBHOOK_ANSWER_BYTES: setting({
    schema: upTo(mebibyte, kibibyte),
    fallback: '65536',
    description: "Most bytes that are read of an endpoint's answer.",
  }),
} as const;
