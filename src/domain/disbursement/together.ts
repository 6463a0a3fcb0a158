import type { DisbursementAttempt, Payout } from '../../../generated/prisma/client.ts';
import { createGather } from '../../db/gather.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { verifiedRecipients } from '../enrollment/store.ts';
import { readPayouts, requirePayoutId } from '../payout/read.ts';
import type { Routed } from '../route/rails.ts';
import { defaultWay, waysOf } from '../route/ways.ts';
import { recordAllAccepted, type AcceptedAttempt } from './accepted-store.ts';
import { insertAttempts, type NewAttempt } from './store.ts';

/*
 * Disbursements of one tenant that run at the same time share their statements and their commits: with many
 * under way these cost more than anything else that a disbursement does.
 */

interface Of<T> {
  readonly call: Call;
  readonly item: T;
}

/**
 * Gathers what the calls of one tenant want.
 *
 * @param apart what items that are not to be done together have in common
 */
function ofTenant<T, R>(
  work: (call: Call, items: readonly T[]) => Promise<readonly R[]>,
  apart?: (item: T) => readonly string[],
) {
  const gather = createGather<Of<T>, R>(
    (_tenant, all) =>
      work(
        all[0].call,
        all.map(({ item }) => item),
      ),
    apart === undefined ? {} : { apart: ({ item }) => apart(item) },
  );
  return (call: Call, item: T): Promise<R> =>
    gather.do(call.services.pool, call.scope.tenantId, { call, item });
}

export interface ToSubmit {
  readonly payout: Payout;
  /** Where it goes, unless somebody has it already. */
  readonly way: Routed;
  /** The provider's id of its destination; null where the destination is not enrolled there. */
  readonly recipientId: string | null;
}

const read = ofTenant<string, ToSubmit | null>(async (call, ids) => {
  const payouts = await readPayouts(call, ids);
  const { services, scope } = call;
  const accounts = [...payouts.values()].map(({ bankAccountId, bankAccountVersion: version }) => ({
    bankAccountId,
    version,
  }));
  const { routed, recipientOf } = await verifiedRecipients(services.pool, scope, accounts);
  const waiting = [...payouts.values()].filter(
    ({ state, liveAttemptId }) => state === 'approved' && liveAttemptId === null,
  );
  const ways = routed ? await waysOf(call, services.pool, waiting) : null;
  return ids.map((id) => {
    const payout = payouts.get(id);
    if (payout === undefined) return null;
    const way = ways === null ? defaultWay(call) : (ways.get(id) ?? { kind: 'none' });
    const { bankAccountId, bankAccountVersion: version } = payout;
    const account = { bankAccountId, version };
    const recipientId = way.kind === 'rail' ? recipientOf(account, way.rail.name) : null;
    return { payout, way, recipientId };
  });
});

/** Throws PAYOUT_NOT_FOUND. */
export async function readToSubmit(call: Call, payoutId: string): Promise<ToSubmit> {
  requirePayoutId(payoutId);
  const found = await read(call, payoutId);
  if (found === null) throw new DomainError('PAYOUT_NOT_FOUND');
  return found;
}

/** The committed attempt, or null when the payout may not be disbursed. */
export const commitAttempt = ofTenant<NewAttempt, DisbursementAttempt | null>(
  ({ services, scope }, attempts) => insertAttempts(services.pool, scope, attempts),
);

/**
 * Records that the provider took an attempt, as `recordAccepted`. Two answers about one attempt, or that name one
 * payment, are not recorded together, since each has to be compared with what the other one changed.
 */
export const commitAccepted = ofTenant<AcceptedAttempt, boolean>(
  ({ services, scope }, accepted) => recordAllAccepted(services.pool, scope, accepted),
  ({ attemptId, payoutId }) => [`attempt ${attemptId}`, `payment ${payoutId}`],
);
