import type { PoolClient } from 'pg';
import { inTransaction } from '../../db/pool.ts';
import { retryOnConflict } from '../../db/retry.ts';
import type { Call } from '../../process/services.ts';
import { enqueue, longestWaitMs } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { findBeneficiary, lockBeneficiary } from '../beneficiary/store.ts';
import { holdWaitingPayouts, releaseHeldPayouts } from '../disbursement/payee-holds.ts';
import { lookupHash } from '../encryption/lookup.ts';
import { demandedKinds, engineOf } from './engine.ts';
import { findPolicy, type ScreeningPolicy } from './policy-store.ts';
import {
  noteStanding,
  recordResult,
  standingOf,
  type ScreeningCause,
  type ScreeningStanding,
} from './result-store.ts';
import { subjectHash, subjectOf } from './subject-of.ts';
import { tellCleared, tellHits } from './tell.ts';

/** What a payee is screened by. */
interface ScreeningTerms {
  readonly policy: ScreeningPolicy;
  readonly cause: ScreeningCause;
}

/**
 * Screens a payee and records the result, in whichever state its data is by then. Payouts that wait are held where it
 * may be on a list, and those that were held for that are released where it is not. As a job: it may die anywhere and
 * run again. Nothing happens to a payee who was erased, or of a tenant that is not screened.
 */
export async function screenBeneficiary(
  call: Call,
  beneficiary: string,
  cause: ScreeningCause,
): Promise<void> {
  const policy = await findPolicy(call.services.pool, call.scope);
  if (policy === null) return;
  const standing = await screenBy(call, beneficiary, { policy, cause });
  if (standing === null) return;
  if (standing === 'clear') await releaseHeldPayouts(call, beneficiary);
  else await holdWaitingPayouts(call, beneficiary);
}

/** Another system that is away is asked again in a few minutes. */
async function askAgain(client: PoolClient, { scope }: Call, beneficiaryId: string): Promise<void> {
  const payload = { tenantId: scope.tenantId, beneficiaryId };
  await enqueue(client, 'screen_beneficiary', payload, {
    jobKey: jobKeyOf('screen_beneficiary', payload),
    waitMs: longestWaitMs,
  });
}

/**
 * The screening alone. Null where there is no such payee any more. Throws where others keep changing the payee.
 */
async function screenBy(
  call: Call,
  beneficiary: string,
  terms: ScreeningTerms,
): Promise<ScreeningStanding | null> {
  const hash = await lookupHash(call.services, 'screened_subject');
  const engine = engineOf(call.services);
  const kinds = await demandedKinds(engine, terms.policy);
  const done = await retryOnConflict(async () => {
    const payee = await findBeneficiary(call, beneficiary);
    if (payee === null || payee.erasedAt !== null) return { standing: null };
    const subject = subjectOf(call, payee);
    const threshold = call.services.config.SCREENING_THRESHOLD;
    // Outside of the transaction: an engine may be another system.
    const screening = await engine.screen({ subject, kinds, threshold });
    return inTransaction(call.services.pool, async (client) => {
      const locked = await lockBeneficiary(client, call.scope, beneficiary);
      if (locked === null || locked.erasedAt !== null) return { standing: null };
      // What was asked for is not who it is any more: the lists are asked again.
      if (locked.revision !== payee.revision) return null;
      const { cause, policy } = terms;
      const of = subjectHash(hash, call.scope.tenantId, subject);
      const { fresh, gone } = await recordResult(client, call, beneficiary, {
        cause,
        screening,
        threshold,
        subject,
        subjectHash: of,
      });
      if (!engine.knowsDifferences && screening.answered.length < kinds.length) {
        await askAgain(client, call, beneficiary);
      }
      const otherwise = screening.incomplete && policy.incompleteBlocks ? 'incomplete' : 'clear';
      const standing = await standingOf(client, call, beneficiary, otherwise);
      await noteStanding(client, call, beneficiary, standing);
      if (fresh > 0) await tellHits(client, call, beneficiary, fresh);
      if (gone > 0 && standing === otherwise) await tellCleared(client, call, beneficiary, 'gone');
      return { standing };
    });
  });
  if (done === null) throw new Error('a payee changed during each of its screenings');
  return done.standing;
}
