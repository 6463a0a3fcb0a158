import type { PoolClient } from 'pg';
import { z } from 'zod';
import type { ScreeningHit } from '../../../generated/prisma/client.ts';
import { requirePermission, userOf } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError, notFound } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { reasonMessage, text } from '../../values/fields.ts';
import { isId } from '../../values/ids.ts';
import { parseInput } from '../../values/validate.ts';
import { verifyPendingAccounts } from '../bank-account/verify-store.ts';
import { recordReinstatement, recordSuspension } from '../beneficiary/compliance-store.ts';
import { lockBeneficiary } from '../beneficiary/store.ts';
import { demandsDistinctApprover } from '../payout/approval-obstacle.ts';
import {
  findHit,
  isInvolved,
  moveHit,
  readDecisions,
  recordDecision,
  withoutHits,
} from './decision-store.ts';
import { changeStanding, standingOf } from './result-store.ts';
import { tellCleared } from './tell.ts';

/** What a person finds of a hit. */
export const screeningVerdicts = ['cleared', 'confirmed'] as const;
export type ScreeningVerdict = (typeof screeningVerdicts)[number];

const hitDecisionInput = z.strictObject({
  verdict: z.enum(screeningVerdicts),
  reason: reasonMessage,
  evidence: text(1_000)
    .nullish()
    .transform((value) => value ?? null),
});
export type HitDecisionInput = z.input<typeof hitDecisionInput>;

/** Whether the latest decision is the very one that is given, by the same person: a request that was sent again. */
async function isRepeated(
  client: PoolClient,
  { scope }: Call,
  hit: ScreeningHit,
  { verdict, reason, evidence }: z.output<typeof hitDecisionInput>,
): Promise<boolean> {
  if (hit.status !== verdict) return false;
  const last = (await readDecisions(client, scope, [hit.id])).at(-1);
  const actor = last?.actor as { readonly user_id?: string } | undefined;
  return (
    last?.reason === reason &&
    last.evidence === evidence &&
    actor?.user_id !== undefined &&
    actor.user_id === userOf(scope)
  );
}

function requireDecidable({ scope }: Call, hit: ScreeningHit, verdict: ScreeningVerdict): void {
  if (hit.status === 'open') return;
  const isReversal = hit.status === 'confirmed' && verdict === 'cleared';
  if (!isReversal) {
    throw new DomainError('conflict', { message: `The hit is ${hit.status} already.` });
  }
  if (scope.actor.type === 'member' && scope.actor.role !== 'owner') {
    throw new DomainError('forbidden', {
      message: 'A confirmed hit is cleared by an owner, or by an operator of the platform.',
    });
  }
}

/** Four eyes: not the one whose payee, or whose payout, the decision lets go. */
async function requireUninvolved(
  client: PoolClient,
  { scope }: Call,
  beneficiary: string,
): Promise<void> {
  const user = userOf(scope);
  if (user === null || !(await isInvolved(client, scope, beneficiary, user))) return;
  throw new DomainError('forbidden', {
    message:
      'You registered the payee, changed it last or prepared a payout to it, so another person has to decide (distinct_approver).',
  });
}

/** A confirmed hit suspends the payee. The end of the last one ends that suspension, and no other one. */
async function followUp(
  client: PoolClient,
  call: Call,
  hit: ScreeningHit,
  was: string,
): Promise<void> {
  const { scope } = call;
  const { beneficiaryId } = hit;
  const otherwise = await withoutHits(client, scope, beneficiaryId);
  const standing = await standingOf(client, call, beneficiaryId, otherwise);
  await changeStanding(client, call, beneficiaryId, standing);
  if (hit.status === 'confirmed') {
    await recordSuspension(client, scope, beneficiaryId, 'A hit of the screening was confirmed.');
    return;
  }
  if (was === 'confirmed' && standing !== 'confirmed') {
    const reason = 'A confirmed hit of the screening was cleared.';
    const lifted = await recordReinstatement(client, scope, beneficiaryId, reason, 'member');
    if (lifted?.complianceStatus === 'compliant') {
      await verifyPendingAccounts(client, scope, beneficiaryId);
    }
  }
  if (standing === otherwise) await tellCleared(client, call, beneficiaryId, 'decided');
  if (standing !== 'clear') return;
  const release = { tenantId: scope.tenantId, beneficiaryId };
  await enqueue(client, 'release_payouts', release, {
    jobKey: jobKeyOf('release_payouts', release),
  });
}

/**
 * Clears or confirms a hit, with a reason and evidence. Clearing the last one releases the payouts of the payee by a
 * job; confirming one suspends the payee. A confirmed hit is cleared by an owner alone. The same decision of the same
 * person again changes nothing. Throws forbidden, also for the one who created the payee or a payout where four eyes
 * hold; validation_failed, not_found, and conflict for a hit that is decided or gone.
 */
export async function decideOnHit(
  call: Call,
  hitId: string,
  given: HitDecisionInput,
): Promise<ScreeningHit> {
  const { scope, services } = call;
  requirePermission(scope, 'screening:decide');
  const decision = parseInput(hitDecisionInput, given);
  const { verdict, reason, evidence } = decision;
  const seen = isId('screeningHit', hitId) ? await findHit(services.pool, scope, hitId) : null;
  if (seen === null) throw notFound('screening hit');
  const fourEyes = await demandsDistinctApprover(call);
  return inTransaction(services.pool, async (client) => {
    // Every result, payout and hand-over of the payee takes this lock, so all of them see the decision or come before it.
    await lockBeneficiary(client, scope, seen.beneficiaryId);
    const hit = await findHit(client, scope, hitId);
    if (hit === null) throw notFound('screening hit');
    if (await isRepeated(client, call, hit, decision)) return hit;
    requireDecidable(call, hit, verdict);
    if (fourEyes) await requireUninvolved(client, call, hit.beneficiaryId);
    const from = hit.status;
    const moved = await moveHit(client, scope, hitId, { from, to: verdict });
    if (moved === null) throw new DomainError('conflict');
    await recordDecision(client, scope, { hit: hitId, from, to: verdict, reason, evidence });
    await followUp(client, call, moved, from);
    return moved;
  });
}
