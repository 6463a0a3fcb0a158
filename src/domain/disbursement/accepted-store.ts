import type { Scope } from '../../access/scope.ts';
import type { Queryable } from '../../db/pool.ts';
import { wakeAfter } from '../../queue/outbox.ts';
import { eventFields } from '../event/record.ts';
import { acceptAttempts } from './commands.gen.ts';

/** An attempt that the provider took. */
export interface AcceptedAttempt {
  readonly attemptId: string;
  /** The provider's id of the payment. */
  readonly payoutId: string;
  readonly railRef: string | null;
  /** What `acceptedEvent` made when this became known. */
  readonly event: object | null;
}

/** The event for subscribers of an attempt that the provider took. */
export const acceptedEvent = (): object | null =>
  eventFields({
    type: 'payout.disbursement_submitted',
    tail: { status: 'disbursement_submitted' },
  });

/**
 * Records that the provider took attempts, with the events for subscribers. False, in the order of the attempts,
 * where nothing was to be done: it was known, the attempt has ended, or the payment belongs to another attempt.
 */
export async function recordAllAccepted(
  client: Queryable,
  scope: Scope,
  accepted: readonly AcceptedAttempt[],
): Promise<boolean[]> {
  const wire = accepted.map(({ attemptId, payoutId, railRef, event }) => ({
    attempt: attemptId,
    provider_payout: payoutId,
    rail_ref: railRef,
    event,
  }));
  const noted = await acceptAttempts(client, scope.tenantId, { accepted: wire });
  if (noted.some(({ addsJob }) => addsJob)) wakeAfter(client);
  const news = new Set(noted.map(({ attempt }) => attempt));
  return accepted.map(({ attemptId }) => news.has(attemptId));
}

/** As `recordAllAccepted`, for one attempt. */
export async function recordAccepted(
  client: Queryable,
  scope: Scope,
  attemptId: string,
  provider: { readonly payoutId: string; readonly railRef: string | null },
): Promise<boolean> {
  const accepted = { attemptId, ...provider, event: acceptedEvent() };
  const [news = false] = await recordAllAccepted(client, scope, [accepted]);
  return news;
}
