import { z } from 'zod';
import { anyReference, providerId, providerTime } from '../wire-values.ts';
import type { ProviderFailure, ProviderPayout } from '../port.ts';
import { reasonMeanings, statusMeanings } from './meanings.ts';
import { fromAdyen } from './money.ts';

/**
 * Transfers as this adapter reads them. Unknown fields are ignored, and every field that is used is checked. A
 * status or reason that is new is read too: what it means is said by the tables.
 */

const name = z.string().regex(/^\w{1,100}$/);

const tracking = z.discriminatedUnion('type', [
  z.object({ type: z.literal('confirmation'), status: name }),
  z.object({ type: z.literal('estimation'), estimatedArrivalTime: providerTime }),
  z.object({ type: z.literal('internalReview'), status: name }),
]);

export const transfer = z.object({
  id: providerId,
  reference: anyReference,
  amount: z.object({ value: z.int(), currency: z.string().regex(/^[A-Z]{3}$/) }),
  status: name,
  reason: name.optional(),
  category: name.optional(),
  direction: name.optional(),
  balanceAccount: z.object({ id: z.string().optional() }).optional(),
  sequenceNumber: z.int().optional(),
  createdAt: providerTime.optional(),
  creationDate: providerTime.optional(),
  updatedAt: providerTime.optional(),
  // New kinds of tracking are none for us, and the rest of the transfer still counts.
  tracking: tracking.optional().catch(undefined),
});
export type Transfer = z.infer<typeof transfer>;

export const transferList = z.object({
  data: z.array(transfer),
  _links: z.object({ next: z.object({ href: z.string() }).optional() }).optional(),
});

/** Both shapes in which Adyen refuses. */
export const problem = z.object({
  errorCode: z.string(),
  title: z.string().optional(),
  detail: z.string().optional(),
  message: z.string().optional(),
  invalidFields: z.array(z.object({ name: z.string() })).optional(),
});

export const notification = z.object({
  type: z.enum(['balancePlatform.transfer.created', 'balancePlatform.transfer.updated']),
  environment: z.string(),
  timestamp: providerTime.optional(),
  data: z.looseObject({}),
});

/** What a transfer says of itself. */
export interface Told {
  readonly status: ProviderPayout['status'];
  readonly failure: ProviderFailure | null;
  /** A status whose meaning a person has to find out; null for none. */
  readonly unclear: string | null;
}

/** What a transfer means, where its status says it and where its tracking knows more. */
export function meaningOf({ status, reason = 'unknown', tracking: followed }: Transfer): Told {
  const meaning = statusMeanings[status] ?? 'ask';
  if (meaning === 'ask') return { status: 'processing', failure: null, unclear: status };
  if (meaning === 'failed' || meaning === 'returned') {
    const refused = followed?.type === 'internalReview' && followed.status === 'failed';
    const code = refused ? 'compliance_rejected' : (reasonMeanings[reason] ?? 'other');
    const message = `Adyen says ${status}: ${refused ? 'refused by its review' : reason}.`;
    return { status: meaning, failure: { code, message }, unclear: null };
  }
  const isCredited = followed?.type === 'confirmation' && followed.status === 'credited';
  return { status: isCredited ? 'settled' : meaning, failure: null, unclear: null };
}

/**
 * What the service compares with its own. Null for an amount that has no minor units of ISO 4217: it is not ours.
 */
export function paymentOf({ id: providerPayoutId, reference: ours, amount }: Transfer) {
  const amountMinor = fromAdyen(amount.value, amount.currency);
  const { currency } = amount;
  return amountMinor === null ? null : { providerPayoutId, reference: ours, amountMinor, currency };
}
