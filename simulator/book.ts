import type { LedgerRecord } from './ledger.ts';
import { payoutActions, payoutMoves } from './model.ts';
import type { Hold, Payout, PayoutAction, Recipient, SimulatorEvent } from './model.ts';
import { planFor, progressAfter } from './plan.ts';

interface UsedKey {
  readonly bodySha256: string;
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly usedAt: number;
}

/** An accepted disbursement with the key that made it. */
export interface BookedPayout {
  readonly key: string;
  readonly payout: Payout;
  /** ISO 8601: since when its status is so, by the clock of events. */
  readonly statusAt: string;
  /** How many steps of its plan are passed. */
  readonly progress: number;
}

/** The simulator's memory. It follows from the ledger's records alone. */
export interface Book {
  apply(record: LedgerRecord): void;
  recipient(id: string): Recipient | undefined;
  payout(id: string): BookedPayout | undefined;
  payoutsByReference(reference: string): readonly BookedPayout[];
  /** In the order of acceptance. */
  allPayouts(): Iterable<BookedPayout>;
  recipientKey(key: string): UsedKey | undefined;
  payoutKey(key: string): UsedKey | undefined;
  hold(reference: string): Hold | undefined;
  /** Amount and currency of the payout, or of the held submission, with this id. */
  asked(id: string): Pick<Payout, 'amount_minor' | 'currency'> | undefined;
  holdsOf(recipientId: string): readonly Hold[];
  /** Whether a compliance hold was lifted for this payee or this reference. */
  isReleased(recipientId: string, reference: string): boolean;
  /** Events not yet delivered, oldest first. */
  owedEvents(): Iterable<SimulatorEvent>;
}

const actionByEventType = new Map<string, PayoutAction>(
  payoutActions.map((action) => [payoutMoves[action].eventType, action]),
);

/** The payout or recipient whose events are delivered one after another. */
export function queueOf(event: SimulatorEvent): string {
  return 'payout_id' in event.data ? event.data.payout_id : event.data.recipient_id;
}

export function createBook(): Book {
  const recipients = new Map<string, Recipient>();
  const payouts = new Map<string, BookedPayout>();
  const idsByReference = new Map<string, string[]>();
  const recipientKeys = new Map<string, UsedKey>();
  const payoutKeys = new Map<string, UsedKey>();
  const holds = new Map<string, Hold>();
  const released = new Set<string>();
  const owed = new Map<string, SimulatorEvent>();

  function applyPayout(record: Extract<LedgerRecord, { kind: 'payout' }>): void {
    const { payout, key } = record;
    payouts.set(payout.id, { key, payout, statusAt: payout.created_at, progress: 0 });
    const ids = idsByReference.get(payout.reference);
    if (ids === undefined) idsByReference.set(payout.reference, [payout.id]);
    else ids.push(payout.id);
    payoutKeys.set(key, {
      bodySha256: record.body_sha256,
      id: payout.id,
      usedAt: Date.parse(payout.created_at),
    });
  }

  function applyEvent(event: SimulatorEvent): void {
    owed.set(event.id, event);
    const { data } = event;
    if ('recipient_id' in data) {
      const recipient = recipients.get(data.recipient_id);
      if (recipient) recipients.set(recipient.id, { ...recipient, status: data.status });
      return;
    }
    const booked = payouts.get(data.payout_id);
    const action = actionByEventType.get(event.type);
    if (booked === undefined || action === undefined) return; // the release of a submission that was only held
    const { status, rail_ref, expected_delivery_date, failure } = data;
    const last4 = recipients.get(booked.payout.recipient_id)?.destination_last4 ?? '';
    payouts.set(booked.payout.id, {
      key: booked.key,
      payout: { ...booked.payout, status, rail_ref, expected_delivery_date, failure },
      statusAt: status === booked.payout.status ? booked.statusAt : event.occurred_at,
      progress: progressAfter(planFor(last4), booked.progress, action),
    });
  }

  function apply(record: LedgerRecord): void {
    switch (record.kind) {
      case 'recipient': {
        const { recipient } = record;
        recipients.set(recipient.id, recipient);
        recipientKeys.set(record.key, {
          bodySha256: record.body_sha256,
          id: recipient.id,
          usedAt: Date.parse(recipient.created_at),
        });
        break;
      }
      case 'payout':
        applyPayout(record);
        break;
      case 'hold':
        holds.set(record.hold.reference, record.hold);
        break;
      case 'release':
        if (record.recipient_id !== null) released.add(`recipient ${record.recipient_id}`);
        if (record.reference !== null) released.add(`reference ${record.reference}`);
        break;
      case 'event':
        applyEvent(record.event);
        break;
      case 'delivered':
        owed.delete(record.event_id);
        break;
    }
  }

  return {
    apply,
    recipient: (id) => recipients.get(id),
    payout: (id) => payouts.get(id),
    payoutsByReference: (reference) =>
      (idsByReference.get(reference) ?? []).flatMap((id) => payouts.get(id) ?? []),
    allPayouts: () => payouts.values(),
    recipientKey: (key) => recipientKeys.get(key),
    payoutKey: (key) => payoutKeys.get(key),
    hold: (reference) => holds.get(reference),
    asked: (id) => payouts.get(id)?.payout ?? [...holds.values()].find((hold) => hold.id === id),
    holdsOf: (recipientId) =>
      [...holds.values()].filter((hold) => hold.recipient_id === recipientId),
    isReleased: (recipientId, reference) =>
      released.has(`recipient ${recipientId}`) || released.has(`reference ${reference}`),
    owedEvents: () => owed.values(),
  };
}
