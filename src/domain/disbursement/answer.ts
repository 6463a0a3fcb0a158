import type { PoolClient } from 'pg';
import type { DisbursementAttempt } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import type { ProviderPayout } from '../../providers/port.ts';
import { applyOutcome, type Outcome } from './outcome.ts';
import { recordAccepted, recordContradiction } from './store.ts';

const outcomes: Record<ProviderPayout['status'], Outcome | null> = {
  processing: null,
  held: null,
  disbursed: 'disbursed',
  settled: 'settled',
  failed: 'failed',
  returned: 'returned',
};

/** What a look-up changed; `contradicts`: it denies what the provider said before of the money. */
export type Answered = 'applied' | 'nothing' | 'contradicts';

/**
 * Applies what the provider answered about an attempt, in the transaction of `client`, which holds
 * the attempt's lock: the same as the provider's event would do, so an event that comes later finds
 * nothing to do. Of an attempt whose outcome is not known, "not there" concludes nothing: the call may
 * still be on its way. That the provider does not know a payment which it took is a matter for a
 * person, not a failure.
 *
 * @param reason why the provider was asked, for the records of the transitions
 */
export async function applyAnswer(
  client: PoolClient,
  scope: Scope,
  attempt: DisbursementAttempt,
  found: ProviderPayout | null,
  reason?: string,
): Promise<Answered> {
  if (attempt.status === 'rejected') return 'nothing';
  const open = attempt.status !== 'submitted';
  if (found === null) {
    if (open) return 'nothing';
    await recordContradiction(client, scope, attempt.id);
    return 'contradicts';
  }
  const { providerPayoutId: payoutId, railRef, failure } = found;
  if (open) await recordAccepted(client, scope, attempt.id, { payoutId, railRef });
  const applied = await applyOutcome(client, scope, attempt, {
    outcome: outcomes[found.status],
    railRef,
    failure,
    ...(reason === undefined ? {} : { reason }),
  });
  return open && applied === 'nothing' ? 'applied' : applied;
}
