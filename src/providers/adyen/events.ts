import { createHmac, createHash, timingSafeEqual } from 'node:crypto';
import { ProviderEventRefused, type PayoutEventType, type ProviderEvent } from '../port.ts';
import { eventTypeOfStatus, readEventJson } from '../event-body.ts';
import { meaningOf, notification, paymentOf, transfer, type Told, type Transfer } from './wire.ts';

export interface WebhookAccess {
  readonly environment: 'test' | 'live';
  readonly balanceAccountId: string;
  readonly username: string;
  /** The current password, and the one before while it is rotated. */
  readonly passwords: readonly string[];
  /** The current key in hexadecimal digits, and the one before while it is rotated. */
  readonly hmacKeys: readonly string[];
}

type Header = (name: string) => string | undefined;

const hash = (text: string) => createHash('sha256').update(text).digest();
const equal = (one: string, other: string) => timingSafeEqual(hash(one), hash(other));

/** 32 bytes in base64. */
const signaturePattern = /^[A-Za-z0-9+/]{43}=$/;

/** What is wrong with the head of a webhook; null for nothing. */
export function checkAdyenHead(
  { username, passwords }: WebhookAccess,
  header: Header,
): string | null {
  const shown = header('Authorization') ?? '';
  const logins = passwords.map(
    (password) => `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
  );
  if (!logins.some((login) => equal(login, shown))) return 'The login of the webhook is wrong.';
  return signaturePattern.test(header('HmacSignature') ?? '')
    ? null
    : 'The webhook has no signature.';
}

function isSigned({ hmacKeys }: WebhookAccess, header: Header, rawBody: Buffer): boolean {
  const signature = header('HmacSignature') ?? '';
  return hmacKeys.some((key) => {
    const right = createHmac('sha256', Buffer.from(key, 'hex')).update(rawBody).digest('base64');
    return equal(right, signature);
  });
}

function typeOf({ status }: Told, { tracking }: Transfer): PayoutEventType {
  const isReviewed = status === 'processing' && tracking?.type === 'internalReview';
  return isReviewed ? 'held' : eventTypeOfStatus[status];
}

/** Money that left the account that pays, to a bank: everything else is no payment of ours. */
function isPayment(said: Readonly<Record<string, unknown>>, balanceAccountId: string): boolean {
  const account = said['balanceAccount'] as { readonly id?: unknown } | undefined;
  return (
    said['category'] === 'bank' &&
    said['direction'] === 'outgoing' &&
    account?.id === balanceAccountId
  );
}

/**
 * Reads what Adyen posted: what the transfer's status means, and when its money is expected. A webhook about money that
 * is not a payment from the account tells nothing. Its sequence number is part of the event's id: Adyen counts the
 * changes of a transfer, and repeats a webhook unchanged. Throws ProviderEventRefused.
 */
export function parseAdyenEvents(
  access: WebhookAccess,
  rawBody: Buffer,
  header: Header,
): readonly ProviderEvent[] {
  const wrong = checkAdyenHead(access, header);
  if (wrong !== null) throw new ProviderEventRefused(401, wrong);
  if (!isSigned(access, header, rawBody)) {
    throw new ProviderEventRefused(401, 'The signature of the webhook is wrong.');
  }
  const posted = notification.safeParse(readEventJson(rawBody, 'webhook'));
  if (!posted.success) throw new ProviderEventRefused(400, 'The webhook has an unknown shape.');
  const { environment, timestamp, data } = posted.data;
  if (environment !== access.environment) {
    throw new ProviderEventRefused(401, "The webhook is of Adyen's other platform.");
  }
  if (!isPayment(data, access.balanceAccountId)) return [];
  const said = transfer.safeParse(data);
  const payment = said.success ? paymentOf(said.data) : null;
  const occurredAt = said.data?.updatedAt ?? timestamp ?? said.data?.createdAt;
  if (!said.success || payment === null || occurredAt === undefined) {
    throw new ProviderEventRefused(400, 'The transfer of the webhook has an unknown shape.');
  }
  const told = meaningOf(said.data);
  const { sequenceNumber, tracking } = said.data;
  const event = {
    kind: 'payout',
    eventId: `${payment.providerPayoutId}.${sequenceNumber ?? occurredAt}`,
    type: typeOf(told, said.data),
    occurredAt,
    ...payment,
    railRef: null,
    expectedDeliveryDate: null,
    failure: told.failure,
    ...(told.unclear !== null && { unclear: told.unclear }),
  } as const;
  if (tracking?.type !== 'estimation' || told.failure !== null) return [event];
  const expectedDeliveryDate = tracking.estimatedArrivalTime;
  const eventId = `${event.eventId}.estimated`;
  return [event, { ...event, eventId, type: 'estimated', expectedDeliveryDate }];
}
