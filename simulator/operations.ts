import { randomBytes } from 'node:crypto';
import type { Book, BookedPayout } from './book.ts';
import { WireError } from './http.ts';
import type { Ledger, LedgerRecord } from './ledger.ts';
import { contentDigest, newSimulatorId } from './model.ts';
import type { Payout, Recipient } from './model.ts';
import { endings } from './plan.ts';
import type { PayoutRequest, RecipientRequest, WireDestination } from './requests.ts';

export interface OperationsContext {
  readonly book: Book;
  readonly ledger: Ledger;
  readonly keyWindowMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface TakenRequest<Resource> {
  readonly resource: Resource;
  /** Whether the key was used for the same body before. */
  readonly replayed: boolean;
}

/** Applies a record to memory and appends it to the file. Resolves once it is on disk, which every answer awaits. */
export function commit(context: OperationsContext, record: LedgerRecord): Promise<void> {
  context.book.apply(record);
  return context.ledger.append(record);
}

function last4Of(destination: WireDestination): string {
  const identifier =
    destination.account_number ?? destination.iban ?? destination.clabe ?? destination.pix_key;
  return (identifier ?? '').replaceAll(/[\s-]/g, '').toUpperCase().slice(-4);
}

function conflict(): WireError {
  return new WireError(
    409,
    'idempotency_conflict',
    'The Idempotency-Key was used with another body.',
  );
}

/** Enrolls a recipient. Throws WireError when the bank is refused or the key was used otherwise. */
export async function enroll(
  context: OperationsContext,
  key: string,
  body: RecipientRequest,
): Promise<TakenRequest<Recipient>> {
  const bodySha256 = contentDigest(body);
  const used = context.book.recipientKey(key);
  if (used !== undefined) {
    const known = context.book.recipient(used.id);
    if (used.bodySha256 !== bodySha256 || known === undefined) throw conflict();
    return { resource: known, replayed: true };
  }
  const last4 = last4Of(body.destination);
  if (last4 === endings.refusedAtEnrollment) {
    throw new WireError(422, 'bank_rejected', 'The bank refused to register the account.');
  }
  const recipient: Recipient = {
    id: newSimulatorId('rcp'),
    reference: body.reference,
    status: 'active',
    currency: body.destination.currency,
    destination_last4: last4,
    destination_sha256: contentDigest(body.destination),
    created_at: new Date(context.now()).toISOString(),
  };
  await commit(context, { kind: 'recipient', key, body_sha256: bodySha256, recipient });
  return { resource: recipient, replayed: false };
}

function payableRecipient(context: OperationsContext, body: PayoutRequest): Recipient {
  const recipient = context.book.recipient(body.recipient_id);
  if (recipient === undefined) {
    throw new WireError(422, 'recipient_unknown', 'There is no such recipient.');
  }
  if (recipient.status !== 'active') {
    throw new WireError(
      422,
      `recipient_${recipient.status}`,
      `The recipient is ${recipient.status}.`,
    );
  }
  if (recipient.currency !== body.currency) {
    throw new WireError(422, 'currency_mismatch', 'The destination takes another currency.');
  }
  return recipient;
}

/** Takes nothing, but remembers the held submission, so that its release can be announced. */
async function refuseHeld(
  context: OperationsContext,
  { reference, recipient_id, amount_minor, currency }: PayoutRequest,
): Promise<never> {
  if (context.book.hold(reference) === undefined) {
    const id = newSimulatorId('hold');
    const hold = { id, reference, recipient_id, amount_minor, currency };
    await commit(context, { kind: 'hold', hold });
  }
  throw new WireError(
    422,
    'compliance_hold',
    'Compliance holds the payee; nothing was taken. Send it again after the release.',
  );
}

/**
 * Takes a disbursement. A key that is used again within its window replays the first answer. Another key is
 * another payment, even for the same reference. Throws WireError for a definite refusal, which does not use
 * the key up.
 */
export async function submit(
  context: OperationsContext,
  key: string,
  body: PayoutRequest,
): Promise<TakenRequest<BookedPayout>> {
  const bodySha256 = contentDigest(body);
  const used = context.book.payoutKey(key);
  if (used !== undefined && context.now() - used.usedAt < context.keyWindowMs) {
    const known = context.book.payout(used.id);
    if (used.bodySha256 !== bodySha256 || known === undefined) throw conflict();
    return { resource: known, replayed: true };
  }
  const recipient = payableRecipient(context, body);
  if (
    recipient.destination_last4 === endings.complianceHold &&
    !context.book.isReleased(recipient.id, body.reference)
  ) {
    return refuseHeld(context, body);
  }
  const payout: Payout = {
    id: newSimulatorId('po'),
    ...body,
    status: 'processing',
    rail_ref: null,
    expected_delivery_date: null,
    failure: null,
    created_at: new Date(context.now()).toISOString(),
  };
  await commit(context, { kind: 'payout', key, body_sha256: bodySha256, payout });
  const booked = { key, payout, statusAt: payout.created_at, progress: 0 };
  return { resource: context.book.payout(payout.id) ?? booked, replayed: false };
}

/** The rail's reference of a payout, in the form of real rails: opaque, upper case. */
export function newRailRef(): string {
  return `RAIL${randomBytes(8).toString('hex').toUpperCase()}`;
}
