import type { Payout } from '../../../generated/prisma/client.ts';
import { firstRow, inTransaction, rows, type Statement } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import type { TransitionCause } from '../payout/permitted.ts';
import { movePayoutTo } from '../payout/transition.ts';

/** Distinguishes the holds made here from all others, in the transition's record. */
const cause: TransitionCause = 'beneficiary_suspended';

const isSuspended: Statement = {
  name: 'beneficiary_is_suspended',
  text: `
    SELECT id FROM beneficiary
    WHERE tenant_id = $1 AND id = $2 AND compliance_status = 'suspended'`,
};

const isSuspendedLocked: Statement = {
  name: 'beneficiary_is_suspended_locked',
  text: `${isSuspended.text} FOR SHARE`,
};

/**
 * A suspended beneficiary is not paid. Its approved payout goes to `compliance_hold` before anything is
 * handed over, and waits there for the reinstatement. The lock of the beneficiary's row puts every
 * reinstatement wholly before or after it. Returns whether the beneficiary is suspended.
 */
export async function holdIfSuspended(call: Call, payout: Payout): Promise<boolean> {
  const { pool } = call.services;
  const place = [call.scope.tenantId, payout.beneficiaryId] as const;
  if ((await firstRow(pool, isSuspended, place)) === null) return false;
  return inTransaction(pool, async (client) => {
    if ((await firstRow(client, isSuspendedLocked, place)) === null) return false;
    await movePayoutTo(client, call.scope, payout.id, {
      trigger: 'hold',
      when: { kind: 'not_handed_over' },
      cause,
      reason: 'The beneficiary is suspended.',
    });
    return true;
  });
}

const heldPayouts: Statement = {
  name: 'payouts_held_by_suspension',
  text: `
    SELECT p.id FROM payout p
    JOIN payout_transition t
      ON t.tenant_id = $1 AND t.payout_id = p.id AND t.seq = p.transition_count
    WHERE p.tenant_id = $1 AND p.beneficiary_id = $2 AND p.state = 'compliance_hold'
      AND t.cause = $3 AND p.id > $4
    ORDER BY p.id LIMIT 500`,
};

/**
 * Releases the payouts that were held for the suspension of their beneficiary. They wait for a decision
 * again. A job, which the reinstatement adds.
 */
export async function releaseHeldPayouts(call: Call, beneficiaryId: string): Promise<void> {
  const { pool } = call.services;
  const { tenantId } = call.scope;
  let after = '';
  for (;;) {
    const place = [tenantId, beneficiaryId, cause, after] as const;
    const held = await rows<{ id: string }>(pool, heldPayouts, place);
    for (const { id } of held) await release(call, beneficiaryId, id);
    const last = held.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/**
 * One transaction for each payout: one for a thousand would lock their rows for its whole length. A
 * payout that was released and held again for another cause in the meantime stays held.
 */
async function release(call: Call, beneficiaryId: string, payoutId: string): Promise<void> {
  await inTransaction(call.services.pool, async (client) => {
    const place = [call.scope.tenantId, beneficiaryId] as const;
    if ((await firstRow(client, isSuspendedLocked, place)) !== null) return;
    await movePayoutTo(client, call.scope, payoutId, {
      trigger: 'release',
      when: { kind: 'held_for_cause', cause },
      reason: 'The beneficiary was reinstated.',
    });
  });
}
