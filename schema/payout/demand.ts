import type { Payout } from '../../generated/prisma/client.ts';
import { demandsDistinctApprover, isCreator } from '../../src/domain/payout/approval-obstacle.ts';
import type { Context } from '../context.ts';

/** The setting of the caller's business, read once for an operation that shows many payouts. */
const demands = new WeakMap<Context, Promise<boolean>>();

/** Whether somebody else than the caller has to approve the payout. Throws as `context.call`. */
export async function needsAnotherApprover(context: Context, payout: Payout): Promise<boolean> {
  const { call } = context;
  if (!isCreator(call.scope, payout)) return false;
  if (payout.distinctApprover) return true;
  const demand = demands.get(context) ?? demandsDistinctApprover(call);
  demands.set(context, demand);
  return demand;
}
