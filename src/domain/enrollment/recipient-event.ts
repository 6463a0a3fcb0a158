import type { PoolClient } from 'pg';
import { providerOf, type Scope } from '../../access/scope.ts';
import type { ProviderRecipientEvent } from '../../providers/port.ts';
import { reinstateBeneficiary, suspendBeneficiary } from '../beneficiary/suspend.ts';
import { applyRecipientStanding } from './commands.gen.ts';

const standingOf = { suspended: 'suspended', closed: 'closed', reinstated: 'active' } as const;

export interface RecipientEvent extends Pick<
  ProviderRecipientEvent,
  'type' | 'reason' | 'recipientId'
> {
  readonly enrollmentId: string;
  /** ISO 8601, the provider's clock. */
  readonly occurredAt: string;
}

/**
 * Applies what a provider says of a recipient, in the transaction of `client`: to the enrollment, to
 * the beneficiary's `enrollment_status`, and to its compliance status, which a provider may suspend and
 * reinstate too. `closed` ends a suspension like `reinstated` does: the enrollment itself stops payouts,
 * and a suspension that arrives later must change nothing. An event of another provider or of another
 * recipient is ignored. Returns whether it was news.
 */
export async function applyRecipientEvent(
  client: PoolClient,
  scope: Scope,
  event: RecipientEvent,
): Promise<boolean> {
  const [told] = await applyRecipientStanding(client, scope.tenantId, {
    enrollment: event.enrollmentId,
    standing: standingOf[event.type],
    at: new Date(event.occurredAt),
    reason: event.reason,
    provider: providerOf(scope),
    recipient: event.recipientId,
  });
  if (told === undefined) return false;
  if (event.type === 'suspended') {
    await suspendBeneficiary(client, scope, told.beneficiaryId, event.reason);
  } else if (!told.heldElsewhere) {
    await reinstateBeneficiary(client, scope, told.beneficiaryId, event.reason);
  }
  return true;
}
