import type { Beneficiary } from '../../../generated/prisma/client.ts';
import { backoffMs } from '../../queue/backoff.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import {
  ProviderError,
  type EnrollRequest,
  type Payee,
  type ProviderPort,
} from '../../providers/port.ts';
import { enqueue, makeDue } from '../../queue/queue.ts';
import type { Call } from '../../process/services.ts';
import { openDestination } from '../bank-account/details.ts';
import { payeeOf } from '../beneficiary/payee.ts';
import { railNamed } from '../route/ways.ts';
import { recordContradictions } from '../contradiction/contradiction-store.ts';
import { contradictionOfEnrollment } from '../contradiction/contradiction.ts';
import { makeReference } from '../../providers/reference.ts';
import {
  findEnrollment,
  findWaitingPayouts,
  recordOutcome,
  type EnrollmentOutcome,
  type EnrollmentRow,
} from './store.ts';

/**
 * The provider that pays in the scope's environment. Throws unprocessable_entity when none is
 * configured, which only an operator can change.
 */
export function payingProvider(call: Call): ProviderPort {
  const { environment } = call.scope;
  const provider = call.services.providers.forEnvironment(environment);
  if (provider !== null) return provider;
  throw notConfigured(call);
}

/** For callers who need a provider in an environment that has none. */
export function notConfigured({ scope }: Call): DomainError {
  return new DomainError('unprocessable_entity', {
    message: `No payout provider is configured for ${scope.environment}.`,
  });
}

function payeePlace(tenantId: string, enrollmentId: string) {
  return { tenantId, row: enrollmentId, field: 'payee' };
}

/** A beneficiary as the provider may see it, encrypted for its enrollment's row. */
export function sealPayee(call: Call, enrollmentId: string, beneficiary: Beneficiary): Buffer {
  return call.services.keyring.encrypt(
    JSON.stringify(payeeOf(call, beneficiary)),
    payeePlace(call.scope.tenantId, enrollmentId),
  );
}

/** The request to the provider. It is the same every time: payee and destination were fixed when it began. */
async function requestOf(call: Call, enrollment: EnrollmentRow): Promise<EnrollRequest> {
  const { services, scope } = call;
  if (enrollment.payeeCiphertext === null) throw new Error(`${enrollment.id} has no payee`);
  const place = payeePlace(scope.tenantId, enrollment.id);
  const payee = services.keyring.decrypt(enrollment.payeeCiphertext, place);
  return {
    idempotencyKey: enrollment.id,
    reference: makeReference(scope.tenantId, enrollment.id),
    payee: JSON.parse(payee) as Payee, // written by sealPayee, and authenticated
    destination: await openDestination(
      call,
      enrollment.bankAccountId,
      enrollment.bankAccountVersion,
    ),
  };
}

/**
 * Calls the provider for a pending enrollment and records a clear answer, outside of any transaction.
 * Returns the row as it is then. It is still `pending` when the outcome is unknown; the same call may
 * then be repeated, since its key is the enrollment's id.
 */
export async function runEnrollment(call: Call, enrollment: EnrollmentRow): Promise<EnrollmentRow> {
  if (enrollment.status !== 'pending') return enrollment;
  const { log } = call.services;
  const request = await requestOf(call, enrollment);
  let recorded: EnrollmentRow | null;
  try {
    const rail = await railNamed(call, enrollment.provider);
    if (rail === null) {
      log.warn(
        { enrollment_id: enrollment.id, provider: enrollment.provider },
        'the provider of an enrollment is not configured',
      );
      return enrollment;
    }
    const { recipientId, reference } = await rail.enroll(request);
    const wrong = contradictionOfEnrollment(reference, request.reference);
    if (wrong.length > 0) {
      await contradicted(call, enrollment, wrong);
      return enrollment;
    }
    recorded = await conclude(call, enrollment, { recipientId });
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    if (error.verdict !== 'rejected') {
      log.warn(
        { enrollment_id: enrollment.id, verdict: error.verdict },
        'the outcome of an enrollment is unknown',
      );
      return enrollment;
    }
    const refusal = { recipientId: null, failureMessage: error.message };
    recorded = await conclude(call, enrollment, refusal);
  }
  return recorded ?? readAgain(call, enrollment.id);
}

/**
 * Records a clear answer. Whoever waits for it is due at once: the jobs of the beneficiary's payouts that were put
 * off are moved forward in the same transaction. Null when the outcome was recorded before.
 */
function conclude(
  { services: { pool }, scope }: Call,
  { id, beneficiaryId }: EnrollmentRow,
  outcome: EnrollmentOutcome,
): Promise<EnrollmentRow | null> {
  return inTransaction(pool, async (client) => {
    const recorded = await recordOutcome(client, scope, id, outcome);
    if (recorded === null) return null;
    const waiting = await findWaitingPayouts(client, scope, beneficiaryId);
    const payloads = waiting.map((payoutId) => ({ tenantId: scope.tenantId, payoutId }));
    await makeDue(client, scope.tenantId, 'disburse_payout', payloads);
    return recorded;
  });
}

/** Records that the answer may be about another recipient. The enrollment stays pending, so nothing is paid. */
async function contradicted(
  call: Call,
  { id, provider }: EnrollmentRow,
  wrong: Parameters<typeof recordContradictions>[3],
): Promise<void> {
  const { pool, log } = call.services;
  const about = { id, payoutId: null, provider };
  const { news } = await inTransaction(pool, (client) =>
    recordContradictions(client, call.scope, about, wrong, { source: 'enrollment' }),
  );
  if (news) log.error({ enrollment_id: id }, "the provider's answer contradicts an enrollment");
}

/** For when another run or an event recorded the outcome first. */
async function readAgain(call: Call, enrollmentId: string): Promise<EnrollmentRow> {
  const row = await findEnrollment(call.services.pool, call.scope, enrollmentId);
  if (row === null) throw new Error(`enrollment ${enrollmentId} is gone`);
  return row;
}

/** The job: one call, and the job again while the outcome is unknown. */
export async function enrollByJob(call: Call, enrollmentId: string): Promise<void> {
  const { pool, config } = call.services;
  const enrollment = await findEnrollment(pool, call.scope, enrollmentId);
  if (enrollment === null || enrollment.status !== 'pending') return;
  const after = await runEnrollment(call, enrollment);
  if (after.status !== 'pending') return;
  const waitMs = backoffMs(enrollment.requestedAt, config.PROVIDER_RETRY_DELAYS);
  await inTransaction(pool, (client) =>
    enqueue(
      client,
      'enroll_bank_account',
      { tenantId: call.scope.tenantId, enrollmentId },
      { waitMs, jobKey: enrollmentId },
    ),
  );
}
