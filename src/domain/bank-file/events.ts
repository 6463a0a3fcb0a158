import type { Scope } from '../../access/scope.ts';
import type { ProviderFailure, ProviderPayoutEvent } from '../../providers/port.ts';
import { makeReference } from '../../providers/reference.ts';
import type { SentToBank } from './payments.ts';

/** What a file says of a payment. */
export interface BankWords {
  /** Made from what says it, so that the same statement makes the same event. */
  readonly eventId: string;
  readonly type: 'acknowledged' | 'disbursed' | 'settled' | 'failed' | 'returned';
  readonly occurredAt: Date;
  /** As the bank says it, in minor units of `currency`; the payment's own where it says none. */
  readonly amountMinor?: bigint;
  readonly currency?: string;
  readonly railRef?: string | null;
  readonly failure?: ProviderFailure | null;
}

/** What a file says of a payment, as an event of the provider that the bank is. */
export function eventOf(
  { tenantId }: Scope,
  payment: Pick<SentToBank, 'attemptId' | 'amountMinor' | 'currency'>,
  said: BankWords,
): ProviderPayoutEvent {
  return {
    kind: 'payout',
    type: said.type,
    eventId: said.eventId,
    occurredAt: said.occurredAt.toISOString(),
    reference: makeReference(tenantId, payment.attemptId),
    // A bank has no id of its own for a payment in a file.
    providerPayoutId: payment.attemptId,
    amountMinor: said.amountMinor ?? payment.amountMinor,
    currency: said.currency ?? payment.currency,
    railRef: said.railRef ?? null,
    expectedDeliveryDate: null,
    failure: said.failure ?? null,
  };
}

/**
 * When a movement happened that a bank dates by a day alone: the end of that day, and later than the moment at which
 * the file was fixed.
 */
export function timeOfDay(day: string, { closedAt }: Pick<SentToBank, 'closedAt'>): Date {
  const end = Date.parse(`${day}T23:59:59.999Z`);
  return new Date(Math.max(end, closedAt.getTime() + 1));
}

/**
 * When a payment failed that the bank refused: as soon as its file was fixed, since a refusal says that nothing was
 * ever executed. A debit is always later, so one of a refused payment is a contradiction in either order.
 */
export const timeOfRefusal = ({ closedAt }: Pick<SentToBank, 'closedAt'>): Date => closedAt;
