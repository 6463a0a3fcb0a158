import { readEventJson } from '../event-body.ts';
import { signatureHeader, verify, verifyHead } from '../../crypto/signature.ts';
import { ProviderEventRefused } from '../port.ts';
import type { ProviderEvent, PayoutEventType, ProviderRecipientEvent } from '../port.ts';
import { failureOf } from './verdict.ts';
import { wireEvents, type WireEvent } from './wire.ts';

function toProviderEvent(event: WireEvent): ProviderEvent {
  const head = { eventId: event.id, occurredAt: event.occurred_at };
  if ('recipient_id' in event.data) {
    return {
      ...head,
      kind: 'recipient',
      type: event.type.slice('recipient.'.length) as ProviderRecipientEvent['type'],
      reference: event.data.reference,
      recipientId: event.data.recipient_id,
      reason: event.data.reason,
    };
  }
  return {
    ...head,
    kind: 'payout',
    type: event.type.slice('payout.'.length) as PayoutEventType,
    reference: event.data.reference,
    providerPayoutId: event.data.payout_id,
    amountMinor: BigInt(event.data.amount_minor),
    currency: event.data.currency,
    railRef: event.data.rail_ref,
    expectedDeliveryDate: event.data.expected_delivery_date,
    failure: failureOf(event.data.failure),
  };
}

const invalid = (why: string) => `The signature of the event is not valid: ${why}.`;

/**
 * What is wrong with the head of events; null for nothing.
 * @param now seconds since 1970
 */
export function checkGatewayHead(
  header: (name: string) => string | undefined,
  now: number,
): string | null {
  const verification = verifyHead(header(signatureHeader), now);
  return verification === 'fresh' ? null : invalid(verification);
}

/**
 * Verifies a body on its raw bytes, by any of the secrets, and reads its event, or its events. Throws ProviderEventRefused:
 * 401 for a signature that is missing, malformed, expired or wrong, 400 for an unreadable body.
 * @param now seconds since 1970
 */
export function parseGatewayEvents(
  secrets: readonly string[],
  rawBody: Buffer,
  header: (name: string) => string | undefined,
  now: number,
): readonly ProviderEvent[] {
  const signature = header(signatureHeader);
  const verifications = secrets.map((secret) => verify(secret, signature, rawBody, now));
  if (!verifications.includes('valid')) {
    throw new ProviderEventRefused(401, invalid(verifications[0] ?? 'mismatch'));
  }
  const parsed = wireEvents.safeParse(readEventJson(rawBody));
  if (!parsed.success) throw new ProviderEventRefused(400, 'The event has an unknown shape.');
  return parsed.data.map(toProviderEvent);
}
