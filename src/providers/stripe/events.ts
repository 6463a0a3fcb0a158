import type Stripe from 'stripe';
import { eventTypeOfStatus, readEventJson } from '../event-body.ts';
import { ProviderEventRefused, type ProviderEvent } from '../port.ts';
import { meaningOf, paymentOf, thinEvent, type OutboundPayment } from './wire.ts';

type Header = (name: string) => string | undefined;

/** How old a signature may be, and how far ahead, in seconds. */
const toleranceSeconds = 300;

const signaturePattern = /^t=(\d{1,11})(,v\d=[0-9a-f]{64})+$/;

/**
 * What is wrong with the head of an event; null for nothing.
 * @param now seconds since 1970
 */
export function checkStripeHead(header: Header, now: number): string | null {
  const [, signedAt] = signaturePattern.exec(header('Stripe-Signature') ?? '') ?? [];
  if (signedAt === undefined) return 'The event has no signature.';
  const isFresh = Math.abs(Number(signedAt) - now) <= toleranceSeconds;
  return isFresh ? null : 'The signature of the event is too old, or from the future.';
}

/** Stripe's own library takes 10 MB, so it is loaded with the first event. */
let library: Promise<Stripe> | null = null;
const loadLibrary = async (): Promise<Stripe> => {
  const { default: Library } = await import('stripe');
  // It only verifies: no request is sent with this key.
  return new Library('none');
};

/** Verifies the signature over the raw bytes, by any of the secrets. */
async function isSigned(
  rawBody: Buffer,
  signature: string,
  secrets: readonly string[],
  now: number,
) {
  library ??= loadLibrary();
  const { webhooks } = await library;
  return secrets.some((secret) => {
    try {
      webhooks.signature?.verifyHeader(
        rawBody,
        signature,
        secret,
        toleranceSeconds,
        undefined,
        now * 1_000,
      );
      return webhooks.signature !== null;
    } catch {
      return false;
    }
  });
}

const prefix = 'v2.money_management.outbound_payment.';

export interface EventAccess {
  readonly live: boolean;
  readonly financialAccount: string;
  readonly returnDays: number;
  /** The current secret, and the one before while it is rotated. */
  readonly webhookSecrets: readonly string[];
}

/** The id of the payment that an event is about; null where it is about something else. Throws ProviderEventRefused. */
export async function subjectOf(
  { live, webhookSecrets }: EventAccess,
  rawBody: Buffer,
  header: Header,
  now: number,
): Promise<{ eventId: string; paymentId: string } | null> {
  const wrong = checkStripeHead(header, now);
  if (wrong !== null) throw new ProviderEventRefused(401, wrong);
  if (!(await isSigned(rawBody, header('Stripe-Signature') ?? '', webhookSecrets, now))) {
    throw new ProviderEventRefused(401, 'The signature of the event is wrong.');
  }
  const read = thinEvent.safeParse(readEventJson(rawBody));
  if (!read.success) throw new ProviderEventRefused(400, 'The event has an unknown shape.');
  const { id: eventId, type, livemode, related_object: related } = read.data;
  if (livemode !== live)
    throw new ProviderEventRefused(401, "The event is of Stripe's other mode.");
  if (!type.startsWith(prefix) || related == null) return null;
  return { eventId, paymentId: related.id };
}

/**
 * What a payment tells that an event was about: its state when it was asked, which may be later than the event. A payment
 * that is not ours tells nothing.
 * @param now seconds since 1970
 */
export function eventsOf(
  { financialAccount, returnDays }: EventAccess,
  eventId: string,
  said: OutboundPayment,
  now: number,
): readonly ProviderEvent[] {
  const payment = paymentOf(said);
  if (payment === null || said.from.financial_account !== financialAccount) return [];
  const { status, statusAt, failure, unclear } = meaningOf(said, returnDays, now * 1_000);
  const event = {
    kind: 'payout',
    eventId,
    type: eventTypeOfStatus[status],
    occurredAt: statusAt,
    ...payment,
    railRef: said.tracking_details?.bank_account?.trace_id ?? null,
    expectedDeliveryDate: null,
    failure,
    ...(unclear !== null && { unclear }),
  } as const;
  const expectedDeliveryDate = said.expected_arrival_date;
  if (status !== 'processing' || expectedDeliveryDate === undefined) return [event];
  return [
    event,
    { ...event, eventId: `${eventId}.estimated`, type: 'estimated', expectedDeliveryDate },
  ];
}
