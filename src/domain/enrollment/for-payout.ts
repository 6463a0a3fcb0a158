import type { PoolClient } from 'pg';
import { SingleFlight } from '../../concurrency/single-flight.ts';
import { inTransaction } from '../../db/pool.ts';
import { newId } from '../../values/ids.ts';
import { enqueue } from '../../queue/queue.ts';
import { oncePerProcess } from '../../process/once.ts';
import type { Call } from '../../process/services.ts';
import { lockBankAccounts } from '../bank-account/store.ts';
import { lockBeneficiary } from '../beneficiary/store.ts';
import { runEnrollment, sealPayee } from './run.ts';
import {
  findLatestEnrollment,
  findPendingEnrollment,
  insertEnrollment,
  type AccountVersion,
  type EnrollmentRow,
} from './store.ts';

/** A provider's id of a version of an account that is enrolled there, or null when it is not. */
export async function recipientFor(
  call: Call,
  account: AccountVersion,
  provider: string,
): Promise<{ readonly recipientId: string } | null> {
  const latest = await findLatestEnrollment(call.services.pool, call.scope, account, provider);
  if (latest?.status !== 'verified' || latest.recipientId === null) return null;
  return { recipientId: latest.recipientId };
}

export type PayoutEnrollment =
  | { readonly kind: 'verified'; readonly recipientId: string }
  | { readonly kind: 'rejected'; readonly message: string }
  /** The outcome is unknown, or another account of the beneficiary is being enrolled. Try again later. */
  | { readonly kind: 'unclear' };

export interface PayoutDestination extends AccountVersion {
  readonly beneficiaryId: string;
  /** Name of the provider that is to pay. */
  readonly provider: string;
}

const enrolling = oncePerProcess(() => new SingleFlight<PayoutEnrollment>());

/** When the enrollment's own job runs, in case the disbursement does not try again. */
const caretakerDelayMs = 60_000;

/**
 * Enrolls the destination of an approved payout that was never enrolled. Safe to repeat: an enrollment
 * that is under way is continued under its own key, and one that ended is answered with its outcome.
 * Refused details are tried again only after an enroll request or a PUT of the account. The first payouts to
 * an account come together: those of one process enroll it once.
 */
export function enrollForPayout(
  call: Call,
  destination: PayoutDestination,
): Promise<PayoutEnrollment> {
  const { bankAccountId, version, provider } = destination;
  const key = [call.scope.tenantId, bankAccountId, version, provider].join(' ');
  return enrolling(call.services).do(key, () => enroll(call, destination));
}

async function enroll(call: Call, destination: PayoutDestination): Promise<PayoutEnrollment> {
  const enrollment = await inTransaction(call.services.pool, (client) =>
    ensureEnrollment(client, call, destination),
  );
  if (enrollment === null) return { kind: 'unclear' };
  const { status, recipientId, failureMessage } = await runEnrollment(call, enrollment);
  if (status === 'pending') return { kind: 'unclear' };
  if (status === 'verified' && recipientId !== null) return { kind: 'verified', recipientId };
  return {
    kind: 'rejected',
    message: failureMessage ?? `The provider's enrollment of the bank account is ${status}.`,
  };
}

/**
 * Whether an enrollment of the beneficiary is still under way, in the transaction in which a payout is to wait
 * for it. The lock of the beneficiary's row puts this before or after the enrollment's end: an end that comes
 * later finds the waiting job and moves it forward.
 */
export async function mustWait(
  client: PoolClient,
  { scope }: Call,
  beneficiaryId: string,
): Promise<boolean> {
  await lockBeneficiary(client, scope, beneficiaryId);
  return (await findPendingEnrollment(client, scope, beneficiaryId)) !== null;
}

/**
 * Whether refused details are to be tried again. A PUT that left them unchanged has cleared the rail's
 * reason. The next refusal sets it again, so there is one try for each PUT.
 */
async function asksForAnother(
  client: PoolClient,
  { scope }: Call,
  { beneficiaryId, bankAccountId, version }: PayoutDestination,
  latest: EnrollmentRow,
): Promise<boolean> {
  if (latest.status !== 'rejected') return false;
  const accounts = await lockBankAccounts(client, scope, beneficiaryId);
  const account = accounts.find(({ id }) => id === bankAccountId);
  return account?.version === version && account.railRejectionReason === null;
}

/** The enrollment of the destination, begun if there is none; null while another one excludes it. */
async function ensureEnrollment(
  client: PoolClient,
  call: Call,
  destination: PayoutDestination,
): Promise<EnrollmentRow | null> {
  const { scope } = call;
  const beneficiary = await lockBeneficiary(client, scope, destination.beneficiaryId);
  if (beneficiary === null) throw new Error(`no beneficiary ${destination.beneficiaryId}`);
  const latest = await findLatestEnrollment(client, scope, destination, destination.provider);
  if (latest !== null && !(await asksForAnother(client, call, destination, latest))) return latest;
  const other = await findPendingEnrollment(client, scope, beneficiary.id);
  if (other !== null) return null;
  const id = newId('enrollment');
  const enrollment = await insertEnrollment(client, scope, {
    id,
    beneficiaryId: beneficiary.id,
    bankAccountId: destination.bankAccountId,
    version: destination.version,
    provider: destination.provider,
    payeeCiphertext: sealPayee(call, id, beneficiary),
  });
  // If the payout is canceled now, this job ends the enrollment. A pending one excludes all others.
  await enqueue(
    client,
    'enroll_bank_account',
    { tenantId: scope.tenantId, enrollmentId: id },
    { waitMs: caretakerDelayMs, jobKey: id },
  );
  return enrollment;
}
