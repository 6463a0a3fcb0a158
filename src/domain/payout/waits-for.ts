import type { Payout } from '../../../generated/prisma/client.ts';
import type { Call } from '../../process/services.ts';
import type { PayoutState } from './machine.ts';

/** What a payout waits for when it cannot go on by itself. */
export const waitReasons = ['decision', 'new_payout', 'release', 'provider_configuration'] as const;
export type WaitReason = (typeof waitReasons)[number];

/**
 * What a payout waits for: a decision, a new payout in its place, the release of its hold, or the
 * configuration of a provider for its environment, without which an approved payout is not handed over.
 * Null for a payout that is on its way or has ended.
 *
 * @param accountChanged whether the bank account changed since the creation, after which nobody can approve
 */
export function waitsFor(
  { scope, services }: Call,
  payout: Payout,
  accountChanged: boolean,
): WaitReason | null {
  switch (payout.state as PayoutState) {
    case 'pending_approval':
      return accountChanged ? 'new_payout' : 'decision';
    case 'compliance_hold':
      return 'release';
    case 'approved':
      return payout.liveAttemptId === null &&
        services.providers.forEnvironment(scope.environment) === null
        ? 'provider_configuration'
        : null;
    default:
      return null;
  }
}
