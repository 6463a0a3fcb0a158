import type { EventReader, SentEvent } from './event-stream.ts';

/** The subscription that the tests of streams open. */
export const transitionsQuery = `subscription ($after: String) { payoutTransitions(after: $after) {
  id transition { seq fromState toState actor } payout { id state beneficiary { id } }
} }`;

/** What a test compares of an event. */
export interface SeenTransition {
  readonly payoutId: string;
  readonly seq: number;
  readonly toState: string;
}

export const isTransition = ({ event }: SentEvent): boolean => event === 'next';

/** The next events of a stream. */
export async function takeTransitions(
  reader: EventReader,
  count: number,
): Promise<SeenTransition[]> {
  const found: SeenTransition[] = [];
  while (found.length < count) {
    const sent = await reader.next(isTransition);
    if (sent === null) throw new Error(`the stream ended: ${String(reader.seen.at(-1)?.comment)}`);
    const { transition, payout } = sent.data.data.payoutTransitions;
    found.push({ payoutId: payout.id, seq: transition.seq, toState: transition.toState });
  }
  return found;
}

export const pending = (payoutId: string): SeenTransition => ({
  payoutId,
  seq: 1,
  toState: 'pending_approval',
});
export const canceled = (payoutId: string): SeenTransition => ({
  payoutId,
  seq: 2,
  toState: 'canceled',
});
