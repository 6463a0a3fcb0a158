import type { Emitter } from './emitter.ts';
import { WireError } from './http.ts';
import { payoutMoves, recipientMoves } from './model.ts';
import type { Hold } from './model.ts';
import { commit } from './operations.ts';
import type { OperationsContext } from './operations.ts';
import type { RecipientEventRequest, ReleaseRequest } from './requests.ts';

/** Suspends, closes or reinstates a recipient, and sends the event. Throws WireError 404 and 409. */
export async function actOnRecipient(
  context: OperationsContext,
  emitter: Emitter,
  recipientId: string,
  request: RecipientEventRequest,
): Promise<void> {
  const recipient = context.book.recipient(recipientId);
  if (recipient === undefined) throw new WireError(404, 'not_found', 'There is no such recipient.');
  const move = recipientMoves[request.event];
  if (!move.from.includes(recipient.status)) {
    throw new WireError(
      409,
      'not_permitted',
      `A recipient that is ${recipient.status} permits no such event.`,
    );
  }
  await emitter.emit(move.eventType, {
    recipient_id: recipient.id,
    reference: recipient.reference,
    status: move.to ?? recipient.status,
    reason: request.reason ?? null,
  });
}

/**
 * Releases the compliance hold of a payee, which is named by its recipient or by the reference of a held
 * submission, and sends an event for every held submission. The hold is the payee's, so all of its
 * submissions are released together. Returns the released holds.
 */
export async function release(
  context: OperationsContext,
  emitter: Emitter,
  request: ReleaseRequest,
): Promise<readonly Hold[]> {
  const { book } = context;
  const reference = 'reference' in request ? request.reference : null;
  const held = reference === null ? undefined : book.hold(reference);
  const recipientId = 'recipient_id' in request ? request.recipient_id : held?.recipient_id;
  const holds = (recipientId === undefined ? [] : book.holdsOf(recipientId)).filter(
    (hold) => !book.isReleased(hold.recipient_id, hold.reference),
  );
  const announcements = holds.map((hold) =>
    emitter.emit(payoutMoves.release.eventType, {
      payout_id: hold.id,
      reference: hold.reference,
      status: 'held',
      rail_ref: null,
      expected_delivery_date: null,
      failure: null,
    }),
  );
  // Written after the events: a crash in between leaves the hold, and the call can be repeated.
  await commit(context, { kind: 'release', recipient_id: recipientId ?? null, reference });
  await Promise.all(announcements);
  return holds;
}
