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
  'nobody_can_approve',
  'release',
  'bank_file',
  'bank_answer',
  'provider_configuration',
] as const;
export type WaitReason = (typeof waitReasons)[number];

export interface Wait {
  readonly reason: WaitReason;
  readonly since: Date;
}

/** A row of the queue counts while the payout has no attempt; from then on it is in the attempt's file. */
const waitingAtBanks = named(
  'payouts_waiting_at_banks',
  ['tenant', 'idle', 'attempts'],
  `
    SELECT w.payout_id AS id, 'bank_file' AS reason, w.since FROM bank_waiting w
    WHERE w.tenant_id = @tenant AND w.payout_id = ANY (@idle::text[])
    UNION ALL
    SELECT m.payout_id, 'bank_answer', coalesce(b.sent_at, b.closed_at) FROM bank_payment m
    JOIN bank_batch b ON b.tenant_id = m.tenant_id AND b.id = m.batch_id
    WHERE m.tenant_id = @tenant AND m.attempt_id = ANY (@attempts::text[])`,
);

/** What approved payouts wait for, of those that do not go on by themselves; `since` where a bank's file tells it. */
async function readSubmissions(
  call: Call,
  payouts: readonly Payout[],
): Promise<ReadonlyMap<string, { readonly reason: WaitReason; readonly since: Date | null }>> {
  if (payouts.length === 0) return new Map();
  const { pool } = call.services;
  const idle = payouts.filter(({ liveAttemptId }) => liveAttemptId === null);
  const values = waitingAtBanks.of({
    tenant: call.scope.tenantId,
    idle: idle.map(({ id }) => id),
    attempts: payouts.flatMap(({ liveAttemptId }) => liveAttemptId ?? []),
  });
  type Found = { id: string; reason: WaitReason; since: Date };
  const found = await rows<Found>(pool, waitingAtBanks, values);
  const waits = new Map<string, { reason: WaitReason; since: Date | null }>(
    found.map(({ id, ...wait }) => [id, wait]),
  );
  const others = idle.filter(({ id }) => !waits.has(id));
  const ways = others.length === 0 ? [] : await waysOf(call, pool, others);
  for (const [id, { kind }] of ways) {
    if (kind === 'none' || kind === 'away') {
      waits.set(id, { reason: 'provider_configuration', since: null });
    }
  }
  return waits;
}

const inState = named(
  'payouts_in_state_since',
  ['tenant', 'payouts'],
  `
    SELECT p.id, t.occurred_at AS since FROM payout p
    JOIN payout_transition t ON t.tenant_id = p.tenant_id AND t.payout_id = p.id AND t.seq = p.transition_count
    WHERE p.tenant_id = @tenant AND p.id = ANY (@payouts::text[])`,
);

/** Since when payouts are in their state. */
async function readSince(
  { services, scope }: Call,
  payouts: readonly string[],
): Promise<ReadonlyMap<string, Date>> {
  if (payouts.length === 0) return new Map();
  const values = inState.of({ tenant: scope.tenantId, payouts });
  const found = await rows<{ id: string; since: Date }>(services.pool, inState, values);
  return new Map(found.map(({ id, since }) => [id, since]));
}

/** What a payout that is not approved waits for. */
function reasonOf(accountChanged: boolean, nobody: boolean): WaitReason {
  if (accountChanged) return 'new_payout';
  return nobody ? 'nobody_can_approve' : 'decision';
}

/**
 * What payouts wait for and since when, in the order given: a decision, a new payout in their place, the release of
 * their hold, the next file of their bank, the bank's answer to the file that they are in, or the configuration of
 * a provider or a route, without which an approved payout is not handed over. Null for a payout that is on its
 * way or has ended.
 *
 * @param asked accountChanged: whether the bank account changed since the creation, after which nobody can approve;
 * nobody: whether too few are left of those whom the approval policy asks
 */
export async function readWaits(
  call: Call,
  asked: readonly {
    readonly payout: Payout;
    readonly accountChanged: boolean;
    readonly nobody?: boolean;
  }[],
): Promise<(Wait | null)[]> {
  const approved = asked.map(({ payout }) => payout).filter(({ state }) => state === 'approved');
  const submissions = await readSubmissions(call, approved);
  const found = asked.map(({ payout: { id, state }, accountChanged, nobody = false }) => {
    switch (state as PayoutState) {
      case 'pending_approval':
        return { id, reason: reasonOf(accountChanged, nobody), since: null };
      case 'compliance_hold':
        return { id, reason: 'release', since: null } as const;
      default: {
        const wait = submissions.get(id);
        return wait === undefined ? null : { id, ...wait };
      }
    }
  });
  const undated = found.flatMap((wait) => (wait?.since === null ? [wait.id] : []));
  const inStateSince = await readSince(call, undated);
  return found.map((wait) => {
    const since = wait === null ? undefined : (wait.since ?? inStateSince.get(wait.id));
    return wait === null || since === undefined ? null : { reason: wait.reason, since };
  });
}
