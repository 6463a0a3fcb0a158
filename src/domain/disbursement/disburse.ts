import type { DisbursementAttempt, Payout } from '../../../generated/prisma/client.ts';
import { backoffMs } from '../../queue/backoff.ts';
import { crashPoint } from '../../process/crash-point.ts';
import { inTransaction } from '../../db/pool.ts';
import { connectionOfProvider } from '../../providers/bank-connection.ts';
import {
  ProviderError,
  takesFiles,
  type FileFault,
  type PaidAccount,
  type ProviderPayout,
  type ProviderPort,
} from '../../providers/port.ts';
import type { Call } from '../../process/services.ts';
import { recordContradictions } from '../contradiction/contradiction-store.ts';
import { failedThoughPaid } from '../contradiction/contradiction.ts';
import { enrollForPayout, mustWait } from '../enrollment/for-payout.ts';
import { readPayout } from '../payout/read.ts';
import { providerNamed } from '../provider-connection/open.ts';
import { describePayments } from '../route/payments.ts';
import { movePayoutTo } from '../payout/transition.ts';
import { noteRefusalOfTaken, recordTaken } from './answer.ts';
import { awaitFile } from './await-file.ts';
import { disburseLater, disburseWhenReady } from './job.ts';
import { makeReference } from '../../providers/reference.ts';
import { holdIfBarred } from './payee-holds.ts';
import { findOpenAttempt, insertCall, recordNotAccepted } from './store.ts';
import { commitAttempt, readToSubmit } from './together.ts';

/**
 * Hands an approved payout to the provider to which its route leads, as a job. Each step is committed before the next begins,
 * so the job may die anywhere and run again:
 * enroll the destination where needed → commit the attempt with its key → call → record the answer.
 * An attempt whose outcome is not recorded is looked up before anything is sent again. A payout fails
 * only by a definite no of the provider, which is the one that has it, whatever the routes say later. A payout
 * that leaves in a file is not called: it is enrolled and waits for the file (await-file.ts).
 */
export async function disbursePayout(call: Call, payoutId: string): Promise<void> {
  const { payout, way, recipientId: known } = await readToSubmit(call, payoutId);
  if (payout.state !== 'approved') return;
  if (payout.liveAttemptId !== null) {
    const holder = await holderOf(call, payout);
    if (holder !== null) await resume(call, holder, payout, payout.liveAttemptId);
    return;
  }
  if (way.kind === 'unwritable') {
    await failUnwritable(call, payout, way.faults);
    return;
  }
  if (way.kind !== 'rail') {
    // The payout waits without a job. The reconciliation adds one once there is a provider.
    call.services.log.warn(
      { payout_id: payoutId, environment: call.scope.environment },
      'no provider is configured, or no route leads to one: an approved payout waits',
    );
    return;
  }
  const { rail: provider, scheme } = way;
  const recipientId = known ?? (await enroll(call, payout, provider.name));
  if (recipientId === null) return;
  if (takesFiles(provider)) {
    if (await holdIfBarred(call, payout)) return;
    await awaitFile(call, payout, { rail: provider, scheme });
    return;
  }
  const attempt = await commitAttempt(call, {
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
 * The provider that has the payout; null where it cannot be asked. What left in a file goes on with the files
 * that come back. A payout of a provider that is not configured waits until it is, or for an operator.
 */
async function holderOf(call: Call, { id, provider }: Payout): Promise<ProviderPort | null> {
  const { services } = call;
  const name = provider ?? '';
  const holder = await providerNamed(call, services.pool, name);
  if (holder === null && connectionOfProvider(name) === null) {
    services.log.error({ payout_id: id, provider }, 'the provider of a payout is not configured');
  }
  return holder;
}

/** Ends a payout of which it is certain that no file can hold it: its payee or account changed since. */
async function failUnwritable(
  call: Call,
  payout: Payout,
  faults: readonly FileFault[],
): Promise<void> {
  if (await holdIfBarred(call, payout)) return;
  const why = faults.map(({ field, message }) => `${field}: ${message}`).join(' ');
  await movePayoutTo(call.services.pool, call.scope, payout.id, {
    trigger: 'fail',
    when: { kind: 'not_handed_over' },
    reason: 'no file can hold the payment',
    failure: { code: 'invalid_account', message: `The bank's file cannot hold it. ${why}` },
  });
}

/**
 * Handles a payout for which no attempt was committed. It was canceled, held or handed over by another
 * run of this job; or its beneficiary is suspended; or the provider contradicts itself about the payout
 * that it replaces. If the suspension was lifted before it could hold the payout, the reinstatement
 * released nothing, and the payout still waits for its submission.
 */
async function notPrepared(call: Call, payout: Payout): Promise<void> {
  if (await holdIfBarred(call, payout)) return;
  const { state, liveAttemptId } = await readPayout(call, payout.id);
  if (state === 'approved' && liveAttemptId === null) {
    await disburseLater(call, payout.id, pauseSinceApproval(call, payout));
  }
}

/**
 * Enrolls the destination; nobody is told of a beneficiary that is suspended. Returns the provider's id of the
 * destination, or null when the payout is on hold, failed or has to wait.
 */
async function enroll(call: Call, payout: Payout, provider: string): Promise<string | null> {
  if (await holdIfBarred(call, payout)) return null;
  const { beneficiaryId, bankAccountId, bankAccountVersion: version } = payout;
  const destination = { beneficiaryId, bankAccountId, version, provider };
  const enrolled = await enrollForPayout(call, destination);
  if (enrolled.kind === 'verified') return enrolled.recipientId;
  if (enrolled.kind === 'unclear') {
    await disburseWhenReady(call, payout.id, pauseSinceApproval(call, payout), (client) =>
      mustWait(client, call, beneficiaryId),
    );
    return null;
  }
  await movePayoutTo(call.services.pool, call.scope, payout.id, {
    trigger: 'fail',
    when: { kind: 'not_handed_over' },
    reason: 'enrollment rejected',
    failure: { code: 'provider_rejected', message: enrolled.message },
  });
  return null;
}

/** Goes on where an earlier run died or got no clear answer: asks the provider before it sends again. */
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
  if (attempt.status === 'rejected') {
    await endRefused(call, attempt);
    return;
  }
  if (attempt.underWay) {
    await again(call, payout.id, attempt.preparedAt);
    return;
  }
  let found: readonly ProviderPayout[];
  try {
    const reference = makeReference(call.scope.tenantId, attempt.id);
    found = await provider.lookUp({ reference, recipientId: attempt.recipientId });
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
    // The payout is not put on hold, since that ends the attempt, and an earlier call may still arrive.
    await again(call, payout.id, attempt.preparedAt);
    return;
  }
  if (further.windowOpen) return; // another run, an event or a person decides
  // The provider has nothing under our reference. Past its key window the same key would make a second
  // payment if the first call is still on its way, so a person decides. Nothing is recorded if another
  // run has called since.
  await recordNotAccepted(pool, call.scope, attempt, {
    status: 'unknown',
    code: 'other',
    message: "The provider's key window closed before the outcome was known.",
    needsOperator: true,
  });
}

/**
 * A call that began this number of time-outs ago has ended. Two runs of one job must not call at the same time:
 * one would be refused and the other accepted. A worker that was taken for dead can cause two runs.
 */
const callLimits = 2;

/** Who is paid, for a provider that is told with the payment. Throws ProviderError where it is erased. */
async function openAccount(
  call: Call,
  { beneficiaryId, purposeOfPayment }: Payout,
  attempt: DisbursementAttempt,
): Promise<PaidAccount> {
  const { bankAccountId, bankAccountVersion: version, amountMinor, currency } = attempt;
  const [described] = await describePayments(call, call.services.pool, [
    { beneficiaryId, bankAccountId, version, amountMinor, currency, purposeOfPayment },
  ]);
  if (described?.payment !== undefined) return described.payment;
  throw new ProviderError('unknown', 'other', 'The account of the payment is not there any more.');
}

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
      ...(provider.capabilities.accountWithPayment === true && {
        account: await openAccount(call, payout, attempt),
      }),
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
 * Records an answer that says the provider has the payment. If the answer contradicts the attempt, the
 * outcome is unknown and the attempt is marked for a person. After a submission the provider is then asked
 * once more, since only the answer may be wrong. Nothing is sent in the meantime.
 */
async function answered(
  call: Call,
  attempt: DisbursementAttempt,
  found: readonly ProviderPayout[],
  source: 'submission' | 'look_up',
): Promise<void> {
  const result = await recordTaken(call, attempt, found, source);
  crashPoint('disburse_recorded');
  if (result !== 'contradicts') return;
  call.services.log.error(
    { payout_id: attempt.payoutId, attempt_id: attempt.id, source },
    "the provider's answer contradicts an attempt",
  );
  if (source === 'submission') await again(call, attempt.payoutId, attempt.preparedAt);
}

/** Records a definite no. The attempt ends; the payout fails, or waits for a release if it is held. */
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
    if (ended === null) {
      // An event of the provider or a later call has decided.
      await noteRefusalOfTaken(client, call.scope, attempt);
      return;
    }
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

/**
 * Ends a payout whose attempt was refused, where the refusal was recorded and the payout stayed approved. A refusal
 * moves both in one transaction, so only a repair by hand leaves this behind. What compliance refused waits for people,
 * and so does a replacement where something said that money moved.
 */
async function endRefused(call: Call, attempt: DisbursementAttempt): Promise<void> {
  const { id: attemptId, failureCode, failureMessage, executedToldAt, paidToldAt } = attempt;
  const failure = {
    code: failureCode ?? 'other',
    message: failureMessage ?? 'The attempt was refused.',
  };
  await inTransaction(call.services.pool, async (client) => {
    const moved = await movePayoutTo(client, call.scope, attempt.payoutId, {
      ...(failure.code === 'compliance_rejected'
        ? { trigger: 'hold', when: { kind: 'attempt_took_nothing', attemptId } }
        : { trigger: 'fail', when: { kind: 'live_attempt', attemptId }, failure }),
      reason: failure.message,
    });
    if (moved === null || (executedToldAt ?? paidToldAt) === null) return;
    await recordContradictions(client, call.scope, attempt, [failedThoughPaid], {
      source: 'look_up',
    });
  });
}

/** Records that the outcome is unknown. The job looks it up later. */
async function unclear(call: Call, attempt: DisbursementAttempt, cause: unknown): Promise<void> {
  if (!(cause instanceof ProviderError)) throw cause;
  call.services.log.warn(
    { payout_id: attempt.payoutId, attempt_id: attempt.id, verdict: cause.verdict },
    'the outcome of a disbursement is unknown and will be looked up',
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

/** The pause for a payout without an attempt, in milliseconds. */
function pauseSinceApproval({ services }: Call, { approvedAt, createdAt }: Payout): number {
  return backoffMs(approvedAt ?? createdAt, services.config.PROVIDER_RETRY_DELAYS);
}
