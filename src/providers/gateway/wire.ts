import { z } from 'zod';
import { anyReference, providerId, providerTime } from '../wire-values.ts';
import type {
  Destination,
  EnrollRequest,
  PaidAccount,
  Payee,
  PostalAddress,
  SubmitRequest,
} from '../port.ts';

/**
 * The wire format of simulator/README.md as this adapter reads and writes it. Unknown fields of an answer
 * are ignored, and every field that is used is checked.
 */

/**
 * Text of the provider as it can be stored. PostgreSQL takes neither NUL nor a lone surrogate, and the
 * length is bounded. The text is repaired instead of refused: the provider would repeat a refused event
 * for ever, and its payout would never end.
 */
function providerText(maximum: number) {
  return z.string().transform((text) => text.replaceAll('\0', '').toWellFormed().slice(0, maximum));
}

const railRef = providerText(255).nullable();

/** A safe integer of any sign. An amount that makes no sense is passed on, so that the service notices it. */
const money = { amount_minor: z.int(), currency: z.string().regex(/^[A-Z]{3}$/) };

const wireFailure = z.object({ code: providerText(64), message: providerText(1_000) });
export type WireFailure = z.infer<typeof wireFailure>;

export const wirePayout = z.object({
  id: providerId,
  reference: anyReference,
  ...money,
  status: z.enum(['processing', 'held', 'disbursed', 'settled', 'failed', 'returned']),
  status_at: providerTime,
  rail_ref: railRef,
  failure: wireFailure.nullable(),
});
export type WirePayout = z.infer<typeof wirePayout>;

export const wirePayoutList = z.object({ data: z.array(wirePayout) });

export const wireRecipient = z.object({
  id: providerId,
  reference: anyReference,
  status: z.enum(['active', 'suspended', 'closed']),
});

/** The answer to a check of a name: the source's own code, and the bank's name with a close match. */
export const wireNameCheck = z.object({
  code: providerText(32),
  name_on_file: providerText(255).nullable(),
});

export const wireError = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

const eventHead = { id: providerId, occurred_at: providerTime };

const wirePayoutEvent = z.object({
  ...eventHead,
  type: z.enum([
    'payout.acknowledged',
    'payout.estimated',
    'payout.disbursed',
    'payout.settled',
    'payout.failed',
    'payout.returned',
    'payout.held',
    'payout.released',
  ]),
  data: z.object({
    payout_id: providerId,
    reference: anyReference,
    ...money,
    rail_ref: railRef,
    // An unreadable date is no estimate. The rest of the event still counts.
    expected_delivery_date: providerTime.nullable().catch(null),
    failure: wireFailure.nullable(),
  }),
});

const wireRecipientEvent = z.object({
  ...eventHead,
  type: z.enum(['recipient.suspended', 'recipient.closed', 'recipient.reinstated']),
  data: z.object({
    recipient_id: providerId,
    reference: anyReference,
    reason: providerText(1_000).nullable(),
  }),
});

const wireEvent = z.discriminatedUnion('type', [wirePayoutEvent, wireRecipientEvent]);
export type WireEvent = z.infer<typeof wireEvent>;

/** An event, or several that are sent together. */
export const wireEvents = z.union([
  z.object({ events: z.array(wireEvent).min(1).max(100) }).transform(({ events }) => events),
  wireEvent.transform((event) => [event]),
]);

function addressBody(address: PostalAddress): Record<string, unknown> {
  return {
    line1: address.line1,
    line2: address.line2,
    city: address.city,
    state: address.state,
    postal_code: address.postalCode,
    country: address.country,
  };
}

function payeeBody(payee: Payee): Record<string, unknown> {
  return {
    type: payee.type,
    first_name: payee.firstName,
    last_name: payee.lastName,
    business_name: payee.businessName,
    email: payee.email,
    phone: payee.phone,
    country: payee.country,
    date_of_birth: payee.dateOfBirth,
    tax_number: payee.taxNumber,
    address: payee.address === undefined ? undefined : addressBody(payee.address),
  };
}

function destinationBody(destination: Destination): Record<string, unknown> {
  return {
    account_holder_name: destination.accountHolderName,
    country: destination.country,
    currency: destination.currency,
    account_number: destination.accountNumber,
    routing_code: destination.routingCode,
    iban: destination.iban,
    swift_bic: destination.swiftBic,
    clabe: destination.clabe,
    pix_key: destination.pixKey,
    bank_name: destination.bankName,
    account_type: destination.accountType,
  };
}

/** The body of POST /recipients. Field by field, so that nothing else is sent. */
export function recipientBody(request: EnrollRequest): Record<string, unknown> {
  return {
    reference: request.reference,
    payee: payeeBody(request.payee),
    destination: destinationBody(request.destination),
  };
}

/** The body of POST /name-checks: the account with its holder, and nothing else of the payee but what it is. */
export function nameCheckBody({ payee, destination }: PaidAccount): Record<string, unknown> {
  return { payee_type: payee.type, destination: destinationBody(destination) };
}

/** The body of POST /payouts. The amount must be a safe integer. */
export function payoutBody(request: SubmitRequest, amountMinor: number): Record<string, unknown> {
  return {
    reference: request.reference,
    recipient_id: request.recipientId,
    amount_minor: amountMinor,
    currency: request.currency,
    purpose: request.purpose,
  };
}
