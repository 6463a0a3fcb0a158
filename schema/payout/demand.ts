import type { Payout } from '../../generated/prisma/client.ts';
import { demandsDistinctApprover, isCreator } from '../../src/domain/payout/approval-obstacle.ts';
import { readStandings, type Demand } from '../../src/domain/approval-policy/standing.ts';
import type { Context } from '../context.ts';
import { loadBy } from '../lists/loader.ts';

/** The setting of the caller's business, read once for an operation that shows many payouts. */
const demands = new WeakMap<Context, Promise<boolean>>();

/** Whether the caller's business demands another approver. Throws as `context.call`. */
export function demandOf(context: Context): Promise<boolean> {
  const demand = demands.get(context) ?? demandsDistinctApprover(context.call);
  demands.set(context, demand);
  return demand;
}

const standingOf = loadBy(readStandings, (id) => id);

/** What the approval policy demands of a payout, and where it stands for the caller; empty where it demands nothing. */
export const demandsOf = (context: Context, { id }: Payout): Promise<readonly Demand[]> =>
  standingOf(context, id);

/** Whether somebody else than the caller has to approve the payout. Throws as `context.call`. */
export async function needsAnotherApprover(context: Context, payout: Payout): Promise<boolean> {
  if (!isCreator(context.call.scope, payout)) return false;
  return payout.distinctApprover || demandOf(context);
}
