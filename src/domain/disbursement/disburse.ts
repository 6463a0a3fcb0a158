import type { DisbursementAttempt, Payout } from '../../../generated/prisma/client.ts';
import { backoffMs } from '../../queue/backoff.ts';
import { crashPoint } from '../../process/crash-point.ts';
import { inTransaction } from '../../db/pool.ts';
import { ProviderError, type ProviderPayout, type ProviderPort } from '../../providers/port.ts';
import type { Call } from '../../process/services.ts';
import { enrollForPayout, recipientFor } from '../enrollment/for-payout.ts';
import { readPayout } from '../payout/read.ts';
import { movePayoutTo } from '../payout/transition.ts';
import { recordTaken } from './answer.ts';
import { disburseLater } from './job.ts';
import { makeReference } from '../../providers/reference.ts';
import { holdIfSuspended } from './suspension.ts';
import { findOpenAttempt, insertAttempt, insertCall, recordNotAccepted } from './store.ts';

/**
 * Hands an approved payout to the provider (decisions 8), as a job. Each step is committed before
 * the next begins, so the job may die anywhere and run again:
 * enroll the destination where needed → commit the attempt with its key → call → record the answer.
 * An attempt whose outcome is not recorded is looked up before anything is sent again. Nothing here
 * makes a payout `failed` without a definite no of the provider.
 */
export async function disbursePayout(call: Call, payoutId: string): Promise<void> {
  const payout = await readPayout(call, payoutId);
  if (payout.state !== 'approved') return;
  const provider = call.services.providers.forEnvironment(call.scope.environment);
  if (provider === null) {
    // It waits without a job: the reconciliation adds one once there is a provider.
    call.services.log.warn(
      { payout_id: payoutId, environment: call.scope.environment },
      'no provider is configured: an approved payout waits',
    );
    return;
  }
  if (payout.liveAttemptId !== null) {
    await resume(call, provider, payout, payout.liveAttemptId);
    return;
  }
  if (await holdIfSuspended(call, payout)) return;
  const recipientId = await findRecipient(call, payout);
  if (recipientId === null) return;
  const attempt = await insertAttempt(call.services.pool, call.scope, {
    payoutId: payout.id,
    beneficiaryId: payout.beneficiaryId,
    provider: provider.name,
    recipientId,
    idempotencyWindowMs: provider.capabilities.idempotencyWindowMs,
  });
  if (attempt === null) {
    await notPrepared(call, payout);
    return;
  }
  crashPoint('disburse_prepared');
  await send(call, provider, payout, attempt);
}

/**
 * Why there is no attempt: the payout is canceled, held or handed over by another run of this job, or
 * its beneficiary is suspended, or the provider contradicts itself about a predecessor, which is examined.
 * A suspension that was lifted in between has held nothing, so the reinstatement released nothing: the
 * payout still waits for its hand-over.
 */
async function notPrepared(call: Call, payout: Payout): Promise<void> {
  if (await holdIfSuspended(call, payout)) return;
  const { state, liveAttemptId } = await readPayout(call, payout.id);
  if (state === 'approved' && liveAttemptId === null) await againSinceApproval(call, payout);
}

/** The provider's id of the destination; null when the payout failed or has to wait. */
async function findRecipient(call: Call, payout: Payout): Promise<string | null> {
  const { beneficiaryId, bankAccountId, bankAccountVersion: version } = payout;
  const known = await recipientFor(call, { bankAccountId, version });
  if (known !== null) return known.recipientId;
  const enrolled = await enrollForPayout(call, { beneficiaryId, bankAccountId, version });
  if (enrolled.kind === 'verified') return enrolled.recipientId;
  if (enrolled.kind === 'unclear') {
    await againSinceApproval(call, payout);
    return null;
  }
  await inTransaction(call.services.pool, (client) =>
    movePayoutTo(client, call.scope, payout.id, {
      trigger: 'fail',
      when: { kind: 'not_handed_over' },
      reason: 'enrollment rejected',
      failure: { code: 'provider_rejected', message: enrolled.message },
    }),
  );
  return null;
}

/** An earlier run died or got no clear answer: ask the provider before anything is sent again. */
async function resume(
  call: Call,
  provider: ProviderPort,
  payout: Payout,
  attemptId: string,
): Promise<void> {
  const { pool, config } = call.services;
  const callMs = callLimits * config.PROVIDER_TIMEOUT_MS;
  const attempt = await findOpenAttempt(pool, call.scope, attemptId, callMs);
  if (attempt === null) return;
  if (attempt.underWay) {
    await again(call, payout.id, attempt.preparedAt);
    return;
  }
  let found: readonly ProviderPayout[];
  try {
    const reference = makeReference(call.scope.tenantId, attempt.id);
    found = await provider.lookUp(reference);
  } catch (error) {
    await unclear(call, attempt, error);
    return;
  }
  if (found.length > 0) {
    await answered(call, attempt, found, 'look_up');
    return;
  }
  const further = await insertCall(pool, call.scope, attempt, payout.beneficiaryId);
  if (further.kind === 'counted') {
    crashPoint('disburse_prepared');
    await send(call, provider, payout, further.attempt);
    return;
  }
  if (further.kind === 'held') {
    // Not moved to a hold: an earlier call may still arrive at the provider, so the attempt may not end.
    await again(call, payout.id, attempt.preparedAt);
    return;
  }
  if (further.windowOpen) return; // another run, an event or a person has the word
  // The provider has nothing under our reference, but past its key window the same key would be a
  // new payment if the first call is still on its way: a person decides. Nothing is recorded when
  // another run called meanwhile.
  await recordNotAccepted(pool, call.scope, attempt, {
    status: 'unknown',
    code: 'other',
    message: "The provider's key window closed before the outcome was known.",
    needsOperator: true,
  });
}

/**
 * Two runs of one job, which a worker that was taken for dead can cause, must not call at the same
 * time: one would be refused and the other accepted. A call that began so many time-outs ago has ended.
 */
const callLimits = 2;

async function send(
  call: Call,
  provider: ProviderPort,
  payout: Payout,
  attempt: DisbursementAttempt,
): Promise<void> {
  try {
    const answer = await provider.submit({
      idempotencyKey: attempt.id,
      reference: makeReference(call.scope.tenantId, attempt.id),
      recipientId: attempt.recipientId,
      amountMinor: attempt.amountMinor,
      currency: attempt.currency,
      purpose: payout.purposeOfPayment,
    });
    crashPoint('disburse_answered');
    await answered(call, attempt, [answer], 'submission');
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    crashPoint('disburse_answered');
    if (error.verdict === 'rejected' || error.verdict === 'held') {
      await refused(call, attempt, error);
    } else {
      await unclear(call, attempt, error);
    }
  }
}

/**
 * The provider has it. An answer that disagrees with the attempt proves nothing: its outcome is unknown
 * then, and a person is called at once. After a submission the provider is asked once more, since what it
 * has may be right and the answer alone wrong; nothing is sent meanwhile.
 */
async function answered(
  call: Call,
  attempt: DisbursementAttempt,
  found: readonly ProviderPayout[],
  source: 'submission' | 'look_up',
): Promise<void> {
  const result = await inTransaction(call.services.pool, async (client) => {
    const recorded = await recordTaken(client, call.scope, attempt, found, source);
    if (recorded === 'contradicts') {
      await recordNotAccepted(client, call.scope, attempt, {
        status: 'unknown',
        code: 'other',
        message: "The provider's answer disagrees with the attempt.",
        needsOperator: true,
      });
    }
    return recorded;
  });
  crashPoint('disburse_recorded');
  if (result !== 'contradicts') return;
  call.services.log.error(
    { payout_id: attempt.payoutId, attempt_id: attempt.id, source },
    "the provider's answer contradicts an attempt",
  );
  if (source === 'submission') await again(call, attempt.payoutId, attempt.preparedAt);
}

/** A definite no: the attempt ends, and the payout fails or, held by the provider, waits for a release. */
async function refused(
  call: Call,
  attempt: DisbursementAttempt,
  error: ProviderError,
): Promise<void> {
  await inTransaction(call.services.pool, async (client) => {
    const ended = await recordNotAccepted(client, call.scope, attempt, {
      status: 'rejected',
      code: error.code,
      message: error.message,
      needsOperator: false,
    });
    if (ended === null) return; // an event of the provider, or a later call, says otherwise
    await movePayoutTo(client, call.scope, attempt.payoutId, {
      ...(error.verdict === 'held'
        ? { trigger: 'hold', when: { kind: 'attempt_took_nothing', attemptId: attempt.id } }
        : {
            trigger: 'fail',
            when: { kind: 'live_attempt', attemptId: attempt.id },
            failure: { code: error.code, message: error.message },
          }),
      reason: error.message,
    });
  });
  crashPoint('disburse_recorded');
}

/** The outcome is not known: nothing is concluded from it, and the job looks it up later. */
async function unclear(call: Call, attempt: DisbursementAttempt, cause: unknown): Promise<void> {
  if (!(cause instanceof ProviderError)) throw cause;
  call.services.log.warn(
    { payout_id: attempt.payoutId, attempt_id: attempt.id, verdict: cause.verdict },
    'disbursement outcome unclear',
  );
  await recordNotAccepted(call.services.pool, call.scope, attempt, {
    status: 'unknown',
    code: cause.code,
    message: cause.message,
    needsOperator: false,
  });
  await again(call, attempt.payoutId, attempt.preparedAt);
}

/** Runs the job again after a pause that grows with the time since `since`. */
function again(call: Call, payoutId: string, since: Date): Promise<void> {
  return disburseLater(
    call,
    payoutId,
    backoffMs(since, call.services.config.PROVIDER_RETRY_DELAYS),
  );
}

/** For a payout without an attempt. */
function againSinceApproval(call: Call, payout: Payout): Promise<void> {
  return again(call, payout.id, payout.approvedAt ?? payout.createdAt);
}
