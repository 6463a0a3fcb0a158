import type { Book, BookedPayout } from './book.ts';
import type { Payout, Recipient, SimulatorEvent } from './model.ts';

/** A payout as every answer shows it. */
export type WirePayout = Payout & { readonly status_at: string };

/** An event as it is sent. */
export interface WireEvent {
  readonly id: string;
  readonly type: string;
  readonly occurred_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export const wirePayout = ({ payout, statusAt }: BookedPayout): WirePayout => ({
  ...payout,
  status_at: statusAt,
});

/** What a caller sees of a recipient. The destination's digest is for the ledger alone. */
export function wireRecipient({ id, reference, status, currency, created_at }: Recipient) {
  return { id, reference, status, currency, created_at };
}

/** Adds amount and currency to the event of a payout, which the ledger has with the payout. */
export function wireEvent(book: Pick<Book, 'asked'>, event: SimulatorEvent): WireEvent {
  const { data } = event;
  if (!('payout_id' in data)) return event;
  const { payout_id, reference, ...rest } = data;
  const asked = book.asked(payout_id);
  return {
    ...event,
    data: {
      payout_id,
      reference,
      amount_minor: asked?.amount_minor,
      currency: asked?.currency,
      ...rest,
    },
  };
}
