import { z } from 'zod';
import { newSimulatorId } from './model.ts';
import type { WireEvent, WirePayout, wireRecipient } from './wire.ts';

/** The lies that the simulator can tell about what it did. Its ledger always has the truth. */
export const lies = [
  /** A hundred times the amount. */
  'wrong_amount',
  'wrong_currency',
  /** Neither amount nor currency. */
  'no_amount',
  /** A reference that was never sent. An event with it leads to no attempt. */
  'wrong_reference',
  /** The id of another payment. */
  'other_payment',
  /** A further payment under the reference: in a look-up beside the true one, and in an event of its own. */
  'second_payment',
  /** A payment that failed is disbursed later: in a look-up, and in a further event. */
  'disbursed_after_failed',
] as const;
export const lieSchema = z.enum(lies);
export type Lie = (typeof lies)[number];

/** Where the simulator can lie. */
export const lieChannels = ['submissions', 'lookups', 'events', 'recipients'] as const;
export type LieChannel = (typeof lieChannels)[number];

const secondMs = 1_000;
const later = (time: string): string => new Date(Date.parse(time) + secondMs).toISOString();
const otherCurrency = (currency: unknown): string => (currency === 'EUR' ? 'USD' : 'EUR');
const otherId = (id: unknown): string => `${String(id)}_other`;

/** What both an answer and an event say of a payment; `id` is the name of the field with its id. */
function aboutPayment(
  lie: Lie,
  said: Readonly<Record<string, unknown>>,
  id: 'id' | 'payout_id',
): Readonly<Record<string, unknown>> {
  switch (lie) {
    case 'wrong_amount':
      return { ...said, amount_minor: Number(said['amount_minor']) * 100 };
    case 'wrong_currency':
      return { ...said, currency: otherCurrency(said['currency']) };
    case 'no_amount': {
      const { amount_minor: _amount, currency: _currency, ...rest } = said;
      return rest;
    }
    case 'wrong_reference':
      return { ...said, reference: `${String(said['reference'])}x` };
    case 'other_payment':
      return { ...said, [id]: otherId(said[id]) };
    case 'second_payment':
    case 'disbursed_after_failed':
      return said;
  }
}

/** The answer to a submission or a reading of one payout. */
export function lieInPayout(lie: Lie | null, payout: WirePayout): object {
  if (lie === null) return payout;
  if (lie === 'disbursed_after_failed' && payout.status === 'failed') {
    const status_at = later(payout.status_at);
    return { ...payout, status: 'disbursed', status_at, rail_ref: 'RAILLIE', failure: null };
  }
  return aboutPayment(lie, payout, 'id');
}

/** The answer to a look-up by reference. */
export function lieInList(lie: Lie | null, payouts: readonly WirePayout[]): readonly object[] {
  const told = payouts.map((payout) => lieInPayout(lie, payout));
  const [first] = payouts;
  if (lie !== 'second_payment' || first === undefined) return told;
  return [...told, { ...first, id: otherId(first.id) }];
}

/** What is sent instead of an event, in this order. */
export function lieInEvent(lie: Lie | null, event: WireEvent): readonly WireEvent[] {
  if (lie === null || !('payout_id' in event.data)) return [event];
  const data = event.data;
  if (lie === 'second_payment' && event.type === 'payout.settled') {
    const further = { ...data, payout_id: otherId(data['payout_id']) };
    return [event, { ...event, id: newSimulatorId('sev'), data: further }];
  }
  if (lie === 'disbursed_after_failed' && event.type === 'payout.failed') {
    const further = {
      id: newSimulatorId('sev'),
      type: 'payout.disbursed',
      occurred_at: later(event.occurred_at),
      data: { ...data, status: 'disbursed', rail_ref: 'RAILLIE', failure: null },
    };
    return [event, further];
  }
  return [{ ...event, data: aboutPayment(lie, data, 'payout_id') }];
}

/** The answer to an enrollment. */
export function lieInRecipient(
  lie: Lie | null,
  recipient: ReturnType<typeof wireRecipient>,
): object {
  if (lie !== 'wrong_reference') return recipient;
  return { ...recipient, reference: `${recipient.reference}x` };
}
