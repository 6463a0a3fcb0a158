import type { Payout } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { reevaluatePayout } from './commands.gen.ts';
import { statesBefore } from './machine.ts';
import { readPayout } from './read.ts';
import { judgeRoutes, usualProvider } from './route-verdict.ts';

/**
 * Has the approval policy that holds now judge a payout which waits for its approval. What it demands is written down
 * with who asked, and approvals that were given before count no more. A payout of before the policy comes under it. For
 * owners. Throws forbidden, PAYOUT_NOT_FOUND, INVALID_STATE_TRANSITION, PAYOUT_BLOCKED_BY_POLICY where it would be refused
 * by now, and conflict where the business never had a policy.
 */
export async function reevaluateApproval(call: Call, payoutId: string): Promise<Payout> {
  const { scope, services } = call;
  requirePermission(scope, 'payouts:decide');
  if (scope.actor.type !== 'member' || scope.actor.role !== 'owner') {
    throw new DomainError('forbidden', { message: 'Only an owner asks for a new evaluation.' });
  }
  const payout = await readPayout(call, payoutId);
  const [route] = await judgeRoutes(call, [payout]);
  const routed = route !== undefined && route.routing !== null;
  const [found] = await reevaluatePayout(services.pool, scope.tenantId, {
    payout: payout.id,
    states: statesBefore('approve'),
    business: scope.businessId,
    actor: scope.actor,
    provider: routed ? route.provider : usualProvider(call),
  });
  if (found === undefined) {
    const { state } = await readPayout(call, payoutId);
    throw new DomainError('INVALID_STATE_TRANSITION', {
      message: `A payout that is ${state} waits for no approval.`,
    });
  }
  if (found.effect === null) {
    throw new DomainError('conflict', { message: 'The business has no approval policy.' });
  }
  if (found.effect === 'block') {
    throw new DomainError('PAYOUT_BLOCKED_BY_POLICY', {
      message: `The approval policy blocks such payouts by now: ${found.reason ?? ''} Reject or cancel it.`,
    });
  }
  return found.payout;
}
