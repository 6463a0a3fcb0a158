import type { Payout } from '../../../generated/prisma/client.ts';
import { named } from '../../db/named.ts';
import { firstRow, inTransaction, rows, type Queryable } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import type { TransitionCause } from '../payout/permitted.ts';
import { movePayoutTo } from '../payout/transition.ts';

/*
 * A payee who is suspended, or may be on a list of sanctions, is not paid. Its payouts go to `compliance_hold` before
 * anything is handed over, and wait there until both are over. The cause in the record of a transition distinguishes
 * the holds made here from all others.
 */

/** What a hold is told as, by its cause. */
const told: Readonly<Record<TransitionCause, string>> = {
  beneficiary_suspended: 'The beneficiary is suspended.',
  screening: 'The beneficiary may be on a list of sanctions, or cannot be screened completely.',
};

const causes = Object.keys(told);

/** One whose result is still to come is not paid either, and holds nothing: it comes in seconds. */
const barred = `
    SELECT CASE WHEN b.compliance_status = 'suspended' THEN 'beneficiary_suspended' ELSE 'screening' END AS cause
    FROM beneficiary b
    WHERE b.tenant_id = @tenant AND b.id = @beneficiary
      AND (b.compliance_status = 'suspended' OR b.screening IN ('incomplete', 'hit', 'confirmed'))`;

const barredPayee = named('barred_beneficiary', ['tenant', 'beneficiary'], barred);
const barredLocked = named(
  'barred_beneficiary_locked',
  ['tenant', 'beneficiary'],
  `${barred} FOR SHARE`,
);

/** Why a payee may not be paid; null where it may. */
async function causeOf(
  client: Queryable,
  statement: typeof barredPayee,
  { scope }: Call,
  beneficiary: string,
): Promise<TransitionCause | null> {
  const values = statement.of({ tenant: scope.tenantId, beneficiary });
  const row = await firstRow<{ cause: TransitionCause }>(client, statement, values);
  return row?.cause ?? null;
}

/**
 * Holds an approved payout whose payee may not be paid, unless it was handed over. The lock of the payee's row puts
 * every reinstatement, and every decision on a hit, wholly before or after it. Returns whether the payee is barred.
 */
export async function holdIfBarred(
  call: Call,
  { id, beneficiaryId }: Pick<Payout, 'id' | 'beneficiaryId'>,
): Promise<boolean> {
  const { pool } = call.services;
  if ((await causeOf(pool, barredPayee, call, beneficiaryId)) === null) return false;
  return inTransaction(pool, async (client) => {
    const cause = await causeOf(client, barredLocked, call, beneficiaryId);
    if (cause === null) return false;
    await movePayoutTo(client, call.scope, id, {
      trigger: 'hold',
      when: { kind: 'not_handed_over' },
      cause,
      reason: told[cause],
    });
    return true;
  });
}

const waitingPayouts = named(
  'payouts_waiting_of_beneficiary',
  ['tenant', 'beneficiary', 'after'],
  `
    SELECT p.id FROM payout p
    WHERE p.tenant_id = @tenant AND p.beneficiary_id = @beneficiary AND p.id > @after
      AND p.state IN ('pending_approval', 'approved') AND p.live_attempt_id IS NULL
    ORDER BY p.id LIMIT 500`,
);

const heldPayouts = named(
  'payouts_held_for_beneficiary',
  ['tenant', 'beneficiary', 'after', 'causes'],
  `
    SELECT p.id FROM payout p
    JOIN payout_transition t
      ON t.tenant_id = @tenant AND t.payout_id = p.id AND t.seq = p.transition_count
    WHERE p.tenant_id = @tenant AND p.beneficiary_id = @beneficiary AND p.state = 'compliance_hold'
      AND t.cause = ANY (@causes::text[]) AND p.id > @after
    ORDER BY p.id LIMIT 500`,
);

/** Works through pages of payouts, each by itself: one transaction for a thousand would lock them for its whole length. */
async function forEach(
  page: (after: string) => Promise<{ id: string }[]>,
  work: (id: string) => Promise<unknown>,
): Promise<void> {
  let after = '';
  for (;;) {
    const found = await page(after);
    for (const { id } of found) await work(id);
    const last = found.at(-1);
    if (last === undefined) return;
    after = last.id;
  }
}

/** Holds all payouts of a barred payee that wait, of whatever state that is before the hand-over. */
export async function holdWaitingPayouts(call: Call, beneficiary: string): Promise<void> {
  const { pool } = call.services;
  const tenant = call.scope.tenantId;
  await forEach(
    (after) => rows(pool, waitingPayouts, waitingPayouts.of({ tenant, beneficiary, after })),
    (id) => holdIfBarred(call, { id, beneficiaryId: beneficiary }),
  );
}

/**
 * Releases the payouts that were held because their payee was barred. They wait for a decision again. A job, which the
 * reinstatement and the decision on a hit add.
 */
export async function releaseHeldPayouts(call: Call, beneficiary: string): Promise<void> {
  const { pool } = call.services;
  const tenant = call.scope.tenantId;
  await forEach(
    (after) => rows(pool, heldPayouts, heldPayouts.of({ tenant, beneficiary, after, causes })),
    (id) => release(call, beneficiary, id),
  );
}

/** A payout that was released and held again for another cause in the meantime stays held. */
async function release(call: Call, beneficiary: string, payoutId: string): Promise<void> {
  await inTransaction(call.services.pool, async (client) => {
    if ((await causeOf(client, barredLocked, call, beneficiary)) !== null) return;
    const suspension = await movePayoutTo(client, call.scope, payoutId, {
      trigger: 'release',
      when: { kind: 'held_for_cause', cause: 'beneficiary_suspended' },
      reason: 'The beneficiary was reinstated.',
    });
    if (suspension !== null) return;
    await movePayoutTo(client, call.scope, payoutId, {
      trigger: 'release',
      when: { kind: 'held_for_cause', cause: 'screening' },
      reason: 'The beneficiary is clear of the lists of sanctions.',
    });
  });
}
