import type { Payout } from '../../../generated/prisma/client.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { waysOf } from '../route/ways.ts';
import type { PayoutState } from './machine.ts';

/** What a payout waits for when it cannot go on by itself. */
export const waitReasons = [
  'decision',
  'new_payout',
  'release',
  'bank_file',
  'provider_configuration',
] as const;
export type WaitReason = (typeof waitReasons)[number];

const waitingForFile = named(
  'payouts_waiting_for_a_file',
  ['tenant', 'payouts'],
  `
    SELECT w.payout_id AS id FROM bank_waiting w
    WHERE w.tenant_id = @tenant AND w.payout_id = ANY (@payouts::text[])`,
);

/** What payouts wait for that are approved and that nobody has, in the order given. */
async function readHandOvers(
  call: Call,
  payouts: readonly Payout[],
): Promise<ReadonlyMap<string, WaitReason>> {
  if (payouts.length === 0) return new Map();
  const { pool } = call.services;
  const ids = payouts.map(({ id }) => id);
  const values = waitingForFile.of({ tenant: call.scope.tenantId, payouts: ids });
  const filed = await rows<{ id: string }>(pool, waitingForFile, values);
  const reasons = new Map<string, WaitReason>(filed.map(({ id }) => [id, 'bank_file']));
  const others = payouts.filter(({ id }) => !reasons.has(id));
  const ways = others.length === 0 ? [] : await waysOf(call, pool, others);
  for (const [id, { kind }] of ways) {
    if (kind === 'none' || kind === 'away') reasons.set(id, 'provider_configuration');
  }
  return reasons;
}

/**
 * What payouts wait for, in the order given: a decision, a new payout in their place, the release of their hold,
 * the next file of their bank, or the configuration of a provider or a route, without which an approved payout is
 * not handed over. Null for a payout that is on its way or has ended.
 *
 * @param asked accountChanged: whether the bank account changed since the creation, after which nobody can approve
 */
export async function readWaits(
  call: Call,
  asked: readonly { readonly payout: Payout; readonly accountChanged: boolean }[],
): Promise<(WaitReason | null)[]> {
  const payouts = asked.map(({ payout }) => payout);
  const idle = payouts.filter((one) => one.state === 'approved' && one.liveAttemptId === null);
  const handOvers = await readHandOvers(call, idle);
  return asked.map(({ payout, accountChanged }) => {
    switch (payout.state as PayoutState) {
      case 'pending_approval':
        return accountChanged ? 'new_payout' : 'decision';
      case 'compliance_hold':
        return 'release';
      default:
        return handOvers.get(payout.id) ?? null;
    }
  });
}
