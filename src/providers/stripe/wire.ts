import { z } from 'zod';
import type { ProviderFailure, ProviderPayout, ProviderPayment } from '../port.ts';
import { providerTime } from '../wire-values.ts';
import { failedMeanings, returnedMeanings } from './meanings.ts';

/** Stripe's objects as this adapter reads them. Unknown fields are ignored, and every field that is used is checked. */

const id = z.string().regex(/^[\w-]{1,255}$/);

const name = z.string().regex(/^\w{1,100}$/);

const amount = z.object({ value: z.int(), currency: z.string().regex(/^[a-z]{3}$/) });

const reason = z.object({ reason: name }).optional();

/** The key under which Stripe keeps our reference. */
export const referenceKey = 'payout_reference';

export const outboundPayment = z.object({
  id,
  amount,
  created: providerTime,
  expected_arrival_date: providerTime.optional(),
  from: z.object({ financial_account: z.string() }),
  livemode: z.boolean(),
  metadata: z.record(z.string(), z.string()).optional(),
  status: name,
  status_details: z.object({ failed: reason, processing: reason, returned: reason }).optional(),
  status_transitions: z
    .object({
      canceled_at: providerTime.optional(),
      failed_at: providerTime.optional(),
      posted_at: providerTime.optional(),
      returned_at: providerTime.optional(),
    })
    .optional(),
  tracking_details: z
    .object({ bank_account: z.object({ trace_id: z.string().max(255).optional() }).optional() })
    .optional(),
});
export type OutboundPayment = z.infer<typeof outboundPayment>;

export const paymentList = z.object({
  data: z.array(outboundPayment),
  next_page_url: z.string().nullish(),
});

export const recipient = z.object({ id, livemode: z.boolean() });

export const setupIntent = z.object({
  id,
  livemode: z.boolean(),
  payout_method: z.object({ id }).optional(),
  status: name,
});

export const verification = z.object({ id, match_result: name, status: name });

/** A refusal of the API's version 2, and that of version 1, which is told where the key is wrong. */
export const problem = z.object({
  error: z
    .object({ type: z.string(), code: z.string(), message: z.string() })
    .partial()
    .refine(({ type, code }) => type !== undefined || code !== undefined),
});

/** A thin event: it names a payment and tells nothing of it. */
export const thinEvent = z.object({
  id,
  object: z.literal('v2.core.event'),
  type: z.string().regex(/^[\w.[\]]{1,200}$/),
  livemode: z.boolean(),
  created: providerTime,
  related_object: z.object({ id }).nullish(),
});

/** What an outbound payment says of itself. */
export interface Told {
  readonly status: ProviderPayout['status'];
  /** ISO 8601: since when. */
  readonly statusAt: string;
  readonly failure: ProviderFailure | null;
  /** A status whose meaning a person has to find out; null for none. */
  readonly unclear: string | null;
}

const dayMs = 24 * 60 * 60 * 1000;

const failureOf = (
  what: string,
  why: string,
  meanings: typeof failedMeanings,
): ProviderFailure => ({
  code: meanings[why] ?? 'other',
  message: `Stripe says ${what}: ${why}.`,
});

/**
 * What an outbound payment means. One that was posted is settled once no return has come for some days: Stripe has no
 * status for it.
 * @param now milliseconds since 1970
 */
export function meaningOf(said: OutboundPayment, returnDays: number, now: number): Told {
  const { status, created, status_details: details, status_transitions: times = {} } = said;
  const told = { failure: null, unclear: null } as const;
  switch (status) {
    case 'processing': {
      const isReviewed = details?.processing?.reason === 'under_review';
      return { ...told, status: isReviewed ? 'held' : 'processing', statusAt: created };
    }
    case 'posted': {
      const postedAt = times.posted_at ?? created;
      const settledMs = Date.parse(postedAt) + returnDays * dayMs;
      if (settledMs > now) return { ...told, status: 'disbursed', statusAt: postedAt };
      return { ...told, status: 'settled', statusAt: new Date(settledMs).toISOString() };
    }
    case 'failed': {
      const failure = failureOf(
        'failed',
        details?.failed?.reason ?? 'unknown_failure',
        failedMeanings,
      );
      return { ...told, status: 'failed', statusAt: times.failed_at ?? created, failure };
    }
    case 'canceled': {
      const failure = { code: 'provider_rejected', message: 'Stripe says canceled.' } as const;
      return { ...told, status: 'failed', statusAt: times.canceled_at ?? created, failure };
    }
    case 'returned': {
      const why = details?.returned?.reason ?? 'unknown_failure';
      const failure = failureOf('returned', why, returnedMeanings);
      return { ...told, status: 'returned', statusAt: times.returned_at ?? created, failure };
    }
    default:
      return { status: 'processing', statusAt: created, failure: null, unclear: status };
  }
}

/** What the service compares with its own; null for a payment that is not ours. */
export function paymentOf({
  id: providerPayoutId,
  amount: paid,
  metadata,
}: OutboundPayment): ProviderPayment | null {
  const reference = metadata?.[referenceKey];
  if (reference === undefined) return null;
  const { value, currency } = paid;
  return {
    providerPayoutId,
    reference,
    amountMinor: BigInt(value),
    currency: currency.toUpperCase(),
  };
}
