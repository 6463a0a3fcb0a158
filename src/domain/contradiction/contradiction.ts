import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { ProviderPayment, ProviderPayout, ProviderPayoutEvent } from '../../providers/port.ts';
import { makeReference, parseReference } from '../../providers/reference.ts';

/*
 * Compares what a provider says of a payment with the attempt: one table of rules for every answer
 * and every event. Whatever disagrees is a contradiction, and no payout moves because of it.
 */

/** The values that the CHECK constraint of `provider_contradiction.kind` permits. */
export type ContradictionKind =
  | 'amount'
  | 'currency'
  | 'reference'
  /** The provider's id is not the one under which it took the payment. */
  | 'payment'
  /** More than one payment under our reference. */
  | 'second_payment'
  /** The payment belongs to another attempt. */
  | 'payment_of_another'
  /** The provider does not know a payment that it took. */
  | 'missing'
  /** The provider has a payment that it refused, or that an operator resolved as not paid. */
  | 'refused'
  /** What is said of the money excludes what was said before. */
  | 'outcome'
  /** The recipient is not the one that was enrolled. */
  | 'recipient';

/** In which answer it was said: the values of the CHECK constraint of `provider_contradiction.source`. */
export type ContradictionSource = 'submission' | 'look_up' | 'event' | 'enrollment';

/** Where it was said. */
export interface Source {
  readonly source: ContradictionSource;
  /** The provider's id of the event. */
  readonly eventId?: string;
}

/** What was said and what was expected: amounts, codes, ids and times, but no text of the provider. */
export interface Contradiction {
  readonly kind: ContradictionKind;
  readonly said: string;
  readonly expected: string;
}

/** What the provider says of one payment. */
export interface Claim extends ProviderPayment {
  /** The status of the payment. Null where the event says nothing of it. */
  readonly says: ProviderPayout['status'] | null;
  /** ISO 8601: since when the status is so, by the provider's clock. */
  readonly at: string;
}

/** What an answer says of a payment. */
export const claimOfAnswer = (payout: ProviderPayout): Claim => ({
  ...payout,
  says: payout.status,
  at: payout.statusAt,
});

/** What an event says of a payment. Some events say nothing of its status. */
export const claimOfEvent = (
  event: ProviderPayoutEvent,
  says: 'disbursed' | 'settled' | 'failed' | 'returned' | null,
): Claim => ({ ...event, says, at: event.occurredAt });

type KnownAttempt = Pick<
  DisbursementAttempt,
  | 'id'
  | 'tenantId'
  | 'amountMinor'
  | 'currency'
  | 'providerPayoutId'
  | 'paidToldAt'
  | 'endedToldAt'
  | 'executedToldAt'
>;

type Rule = (attempt: KnownAttempt, claim: Claim) => Omit<Contradiction, 'kind'> | null;

/** Compares the texts that are recorded, so that the record always shows the difference. */
const different = (said: string, expected: string) =>
  said === expected ? null : { said, expected };

/** Longer than any of our ids, and short enough for one line. */
const idPattern = /^[\w.:-]{1,100}$/;

/** An id of the provider, as it may be shown. Any other text might be a person's name. */
export const shownId = (id: string): string =>
  idPattern.test(id) ? id : 'an id that cannot be shown';

const shownReference = (reference: string): string =>
  parseReference(reference) !== null && idPattern.test(reference)
    ? reference
    : 'a reference that is not ours';

const isEnd = (says: Claim['says']): boolean => says === 'failed' || says === 'returned';
const shownTime = (says: string, time: Date): string => `${says} ${time.toISOString()}`;

/** The status that a claim gives, and since when, as text. */
export const shownClaim = ({ says, at }: Claim): string =>
  shownTime(says ?? 'nothing', new Date(at));

/**
 * A payment failed of which it was said before, or is said afterwards, that money moved. A person has to find out which
 * of the two is so. It has the same words in every order, so it is recorded once.
 */
export const failedThoughPaid = { kind: 'outcome', said: 'failed', expected: 'paid' } as const;

/**
 * `failed` and `returned` are ends: the money is back, and may be sent again. By the provider's own clock
 * no payment is disbursed or settled after its end. The rule compares times, so the order in which
 * answers and events arrive does not matter. A bank that refuses what it called executed has no such clock.
 */
const order: Rule = ({ paidToldAt, endedToldAt, executedToldAt }, { says, at }) => {
  if (says === null) return null;
  const time = new Date(at);
  if (isEnd(says)) {
    if (paidToldAt !== null && time < paidToldAt) {
      return { said: shownTime(says, time), expected: shownTime('not before', paidToldAt) };
    }
    return says === 'failed' && executedToldAt !== null ? failedThoughPaid : null;
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

/** All contradictions between an attempt and the claims of an answer or an event. */
export function contradictionsOf(known: KnownAttempt, claims: readonly Claim[]): Contradiction[] {
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

/** The contradiction between the answer to an enrollment and the request. */
export function contradictionOfEnrollment(said: string, expected: string): Contradiction[] {
  return said === expected ? [] : [{ kind: 'reference', said: shownReference(said), expected }];
}

/** The contradiction of an event about another recipient. `expected` is null while none is known. */
export function contradictionOfRecipient(said: string, expected: string | null): Contradiction[] {
  if (expected === null || said === expected) return [];
  return [{ kind: 'recipient', said: shownId(said), expected: shownId(expected) }];
}

/** The provider has a payment that it refused, or that an operator resolved as not paid. */
export const takenAfterAll = (claim: Claim): Contradiction => ({
  kind: 'refused',
  said: shownId(claim.providerPayoutId),
  expected: 'no payment',
});

/** The provider refused a payment that it has, as it said before. */
export const refusedAfterAll = (providerPayoutId: string): Contradiction => ({
  kind: 'refused',
  said: 'refused',
  expected: shownId(providerPayoutId),
});

/** The payment belongs to another attempt. */
export const paymentOfAnother = (claim: Claim): Contradiction => ({
  kind: 'payment_of_another',
  said: shownId(claim.providerPayoutId),
  expected: 'a payment of its own',
});
