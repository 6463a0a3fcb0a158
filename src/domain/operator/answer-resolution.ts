import type { PoolClient } from 'pg';
import { operatorId } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { OperatorCall } from '../../process/services.ts';
import { enqueue } from '../../queue/queue.ts';
import { parseInput } from '../../values/validate.ts';
import { recordAction, requireTenant } from './action.ts';
import { lockResolutionToConfirm, recordAnswer } from './confirmation-store.ts';
import { resolutionAnswer, type ResolutionAnswer } from './input.ts';
import { watchOrder, type OrderedPayout } from './order-payout.ts';
import { noteOutcome } from './payout-order.ts';

/**
 * Answers a resolution that waits for a second person (RESOLUTION_CONFIRMATION). `confirmed`: a job carries it
 * out; the outcome is one of `ResolveOutcome`. `declined`: it ends without an effect; whoever ordered it may
 * decline it too. Throws validation_failed, not_found for the business and for an order that does not wait,
 * conflict if the same person ordered it, or if it was answered before.
 */
export async function answerResolution(
  call: OperatorCall,
  given: ResolutionAnswer,
): Promise<OrderedPayout> {
  const { businessId, environment, orderId, answer, reason } = parseInput(resolutionAnswer, given);
  const who = operatorId(call.operator.operator);
  const ref = await inTransaction(call.services.pool, async (client) => {
    const { tenantId } = await requireTenant(client, call.operator, businessId, environment);
    const order = { tenantId, actionId: orderId, who };
    const payoutId = await lock(client, order, answer === 'confirmed');
    if (!(await recordAnswer(client, orderId, answer, who))) {
      throw new DomainError('conflict', { message: 'The resolution was answered before.' });
    }
    const place = { tenantId, payoutId, actionId: orderId };
    if (answer === 'confirmed') await enqueue(client, 'resolve_payout', place);
    else await noteOutcome(client, place, 'declined');
    await recordAction(client, call.operator, {
      action: 'operatorPayoutResolutionAnswer',
      businessId,
      environment,
      subjectId: payoutId,
      reason,
      detail: { order: orderId, answer },
    });
    return place;
  });
  const { payoutId, actionId } = ref;
  return { payoutId, actionId, outcome: await watchOrder(call, ref) };
}

/** The payout of an order that waits. Two persons must agree, whatever key or login each of them uses. */
async function lock(
  client: PoolClient,
  order: { readonly tenantId: string; readonly actionId: string; readonly who: string },
  needsSecond: boolean,
): Promise<string> {
  const found = await lockResolutionToConfirm(client, order);
  if (found === null) {
    throw new DomainError('not_found', { message: 'There is no such resolution that waits.' });
  }
  if (needsSecond && found.isOwn) {
    throw new DomainError('conflict', {
      message: 'You ordered this resolution yourself, and a second person has to confirm it.',
    });
  }
  return found.payoutId;
}
