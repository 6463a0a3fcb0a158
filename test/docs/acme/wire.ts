import { z } from 'zod';
import { failureCodes, payoutEventTypes, type ProviderEvent } from '../../../src/providers/port.ts';

/** What Acme says, checked before anything of it is believed. */
export const error = z.object({ error: z.object({ code: z.string(), message: z.string() }) });
export const recipient = z.object({ id: z.string(), reference: z.string() });

/** Acme has the port's failure codes; one that is new becomes `other`. */
const failure = z
  .object({ code: z.enum(failureCodes).catch('other'), message: z.string() })
  .nullable();
const payment = {
  reference: z.string(),
  amount_minor: z.int().transform(BigInt),
  currency: z.string(),
  rail_ref: z.string().nullable(),
  failure,
};

const status = z.enum(['processing', 'held', 'disbursed', 'settled', 'failed', 'returned']);
export const payout = z
  .object({ ...payment, id: z.string(), status, status_at: z.iso.datetime() })
  .transform((said) => ({
    providerPayoutId: said.id,
    reference: said.reference,
    amountMinor: said.amount_minor,
    currency: said.currency,
    status: said.status,
    statusAt: said.status_at,
    railRef: said.rail_ref,
    failure: said.failure,
  }));
export const payouts = z.object({ data: z.array(payout) });

const head = { id: z.string(), occurred_at: z.iso.datetime() };

/** `payout.failed` is the port's `failed`. */
const typeAfter = <const Type extends string>(prefix: string, types: readonly Type[]) =>
  z
    .templateLiteral([prefix, z.enum(types)])
    .transform((type) => type.slice(prefix.length))
    .pipe(z.enum(types));

const payoutEvent = z
  .object({
    ...head,
    type: typeAfter('payout.', payoutEventTypes),
    data: z.object({
      ...payment,
      payout_id: z.string(),
      expected_delivery_date: z.iso.datetime().nullable(),
    }),
  })
  .transform(({ id, type, occurred_at, data }): ProviderEvent => ({
    kind: 'payout',
    eventId: id,
    type,
    occurredAt: occurred_at,
    providerPayoutId: data.payout_id,
    reference: data.reference,
    amountMinor: data.amount_minor,
    currency: data.currency,
    railRef: data.rail_ref,
    expectedDeliveryDate: data.expected_delivery_date,
    failure: data.failure,
  }));

const recipientEvent = z
  .object({
    ...head,
    type: typeAfter('recipient.', ['suspended', 'closed', 'reinstated']),
    data: z.object({
      recipient_id: z.string(),
      reference: z.string(),
      reason: z.string().nullable(),
    }),
  })
  .transform(({ id, type, occurred_at, data }): ProviderEvent => ({
    kind: 'recipient',
    eventId: id,
    type,
    occurredAt: occurred_at,
    recipientId: data.recipient_id,
    reference: data.reference,
    reason: data.reason,
  }));

export const event = z.union([payoutEvent, recipientEvent]);
