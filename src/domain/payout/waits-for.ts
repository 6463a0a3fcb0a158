import type { Payout } from '../../../generated/prisma/client.ts';
import type { Call } from '../../process/services.ts';
import type { PayoutState } from './machine.ts';

/** What a payout waits for when it cannot go on by itself. */
export const waitReasons = ['decision', 'release', 'provider_configuration'] as const;
export type WaitReason = (typeof waitReasons)[number];

/**
 * What a payout waits for: a decision, the release of its hold, or the configuration of a provider for
 * its environment, without which an approved payout is not handed over. Null for a payout that is on
 * its way or has ended.
 */
export function waitsFor({ scope, services }: Call, payout: Payout): WaitReason | null {
  switch (payout.state as PayoutState) {
    case 'pending_approval':
      return 'decision';
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
