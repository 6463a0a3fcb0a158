import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { ProviderPayment, ProviderPayout, ProviderPayoutEvent } from '../../providers/port.ts';
import { makeReference, parseReference } from '../../providers/reference.ts';

/*
 * What a provider says of a payment, compared with the attempt: one table of rules for every answer
 * and every event. Whatever disagrees is a contradiction, by which nothing moves.
 */

/** As the CHECK constraint of `provider_contradiction.kind` has them. */
export type ContradictionKind =
  | 'amount'
  | 'currency'
  | 'reference'
  /** The id of another payment than the one that the provider took it under. */
  | 'payment'
  /** More than one payment under our reference. */
  | 'second_payment'
  /** The payment belongs to another attempt. */
  | 'payment_of_another'
  /** It has nothing of what it took. */
  | 'missing'
  /** It has what it refused, or what an operator settled as not paid. */
  | 'refused'
  /** What became of the money cannot be true beside what was said before. */
  | 'outcome'
  /** An enrollment's recipient is another than the one that was enrolled. */
  | 'recipient';

/** Where it was said; as the CHECK constraint of `provider_contradiction.source` has them. */
export interface Source {
  readonly source: 'submission' | 'look_up' | 'event' | 'enrollment';
  /** The provider's id of the event. */
  readonly eventId?: string;
}

/** What was said and what was expected: amounts, codes, ids and times, no words of the provider. */
export interface Contradiction {
  readonly kind: ContradictionKind;
  readonly said: string;
  readonly expected: string;
}

/** What is said of one payment. */
export interface Claim extends ProviderPayment {
  /** What became of the money; null where nothing is said of it. */
  readonly says: ProviderPayout['status'] | null;
  /** ISO 8601, the provider's clock: since when. */
  readonly at: string;
}

/** What an answer says of a payment. */
export const claimOfAnswer = (payout: ProviderPayout): Claim => ({
  ...payout,
  says: payout.status,
  at: payout.statusAt,
});

/** What an event says of a payment; some say nothing of where the money is. */
export const claimOfEvent = (
  event: ProviderPayoutEvent,
  says: 'disbursed' | 'settled' | 'failed' | 'returned' | null,
): Claim => ({ ...event, says, at: event.occurredAt });

type Known = Pick<
  DisbursementAttempt,
  'id' | 'tenantId' | 'amountMinor' | 'currency' | 'providerPayoutId' | 'paidToldAt' | 'endedToldAt'
>;

type Rule = (attempt: Known, claim: Claim) => Omit<Contradiction, 'kind'> | null;

/** `equal` compares what is shown, so a difference can always be seen in the record. */
const different = (said: string, expected: string) =>
  said === expected ? null : { said, expected };

/** Longer than any id of ours, and short enough for a line that a person reads. */
const idPattern = /^[\w.:-]{1,100}$/;

/** An id of the provider; another text might be somebody's name. */
export const shownId = (id: string): string =>
  idPattern.test(id) ? id : 'an id that cannot be shown';

const shownReference = (reference: string): string =>
  parseReference(reference) !== null && idPattern.test(reference)
    ? reference
    : 'a reference that is not ours';

const isEnd = (says: Claim['says']): boolean => says === 'failed' || says === 'returned';
const shownTime = (says: string, time: Date): string => `${says} ${time.toISOString()}`;

/** What a claim says of the money, and since when. */
export const shownClaim = ({ says, at }: Claim): string =>
  shownTime(says ?? 'nothing', new Date(at));

/**
 * `failed` and `returned` are ends: the money is here, and may be sent anew. Nothing may be paid after
 * an end, and nothing may have ended before it was paid, by the provider's own clock. So the order in
 * which the same things are heard does not matter.
 */
const order: Rule = ({ paidToldAt, endedToldAt }, { says, at }) => {
  if (says === null) return null;
  const time = new Date(at);
  if (isEnd(says)) {
    if (paidToldAt === null || time >= paidToldAt) return null;
    return { said: shownTime(says, time), expected: shownTime('not before', paidToldAt) };
  }
  if (endedToldAt === null || time <= endedToldAt) return null;
  return { said: shownTime(says, time), expected: shownTime('ended', endedToldAt) };
};

const rules: readonly (readonly [ContradictionKind, Rule])[] = [
  ['amount', (known, claim) => different(String(claim.amountMinor), String(known.amountMinor))],
  ['currency', (known, claim) => different(claim.currency, known.currency)],
  [
    'reference',
    (known, claim) => {
      const expected = makeReference(known.tenantId, known.id);
      if (claim.reference === expected) return null;
      return { said: shownReference(claim.reference), expected };
    },
  ],
  [
    'payment',
    ({ providerPayoutId }, claim) => {
      if (providerPayoutId === null || claim.providerPayoutId === providerPayoutId) return null;
      return { said: shownId(claim.providerPayoutId), expected: shownId(providerPayoutId) };
    },
  ],
  ['outcome', order],
];

const shownPayments = 10;

/** Everything in which an answer's or an event's claims disagree with an attempt as it is known. */
export function contradictionsOf(known: Known, claims: readonly Claim[]): Contradiction[] {
  const [claim, ...more] = claims;
  if (claim === undefined) return [];
  if (more.length > 0) {
    const ids = claims.map(
      ({ providerPayoutId, says }) => `${shownId(providerPayoutId)} ${says ?? 'unknown'}`,
    );
    const said = `${claims.length}: ${ids.toSorted().slice(0, shownPayments).join(', ')}`;
    return [{ kind: 'second_payment', said, expected: 'one payment' }];
  }
  return rules.flatMap(([kind, rule]) => {
    const found = rule(known, claim);
    return found === null ? [] : [{ kind, ...found }];
  });
}

/** In what the answer to an enrollment disagrees with what was asked. */
export function contradictionOfEnrollment(said: string, expected: string): Contradiction[] {
  return said === expected ? [] : [{ kind: 'reference', said: shownReference(said), expected }];
}

/** Whether an event of a recipient is of another one than was enrolled; null: none is known yet. */
export function contradictionOfRecipient(said: string, expected: string | null): Contradiction[] {
  if (expected === null || said === expected) return [];
  return [{ kind: 'recipient', said: shownId(said), expected: shownId(expected) }];
}

/** The provider has what it refused, or what was settled as not paid. */
export const takenAfterAll = (claim: Claim): Contradiction => ({
  kind: 'refused',
  said: shownId(claim.providerPayoutId),
  expected: 'no payment',
});

/** The payment is that of another attempt. */
export const paymentOfAnother = (claim: Claim): Contradiction => ({
  kind: 'payment_of_another',
  said: shownId(claim.providerPayoutId),
  expected: 'a payment of its own',
});
