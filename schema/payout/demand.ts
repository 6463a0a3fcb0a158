import type { Payout } from '../../generated/prisma/client.ts';
import { demandsDistinctApprover, isCreator } from '../../src/domain/payout/approval-obstacle.ts';
import type { Context } from '../context.ts';

/** The setting of the caller's business, read once for an operation that shows many payouts. */
const demands = new WeakMap<Context, Promise<boolean>>();

/** Whether the caller's business demands another approver. Throws as `context.call`. */
export function demandOf(context: Context): Promise<boolean> {
  const demand = demands.get(context) ?? demandsDistinctApprover(context.call);
  demands.set(context, demand);
  return demand;
}

/** Whether somebody else than the caller has to approve the payout. Throws as `context.call`. */
export async function needsAnotherApprover(context: Context, payout: Payout): Promise<boolean> {
  if (!isCreator(context.call.scope, payout)) return false;
  return payout.distinctApprover || demandOf(context);
}
