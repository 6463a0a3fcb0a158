import { setTimeout as pause } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { BankAccount, Beneficiary } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError, notFound } from '../../errors/domain-error.ts';
import { newId } from '../../values/ids.ts';
import { enqueue } from '../../queue/queue.ts';
import type { Call } from '../../process/services.ts';
import { findBankAccount, lockBankAccounts } from '../bank-account/store.ts';
import { isPayoutUsable, unusableReason } from '../bank-account/usability.ts';
import { lockBeneficiary, readBeneficiary } from '../beneficiary/store.ts';
import { notConfigured, sealPayee } from './run.ts';
import { readRouting } from '../route/store.ts';
import { wayTo } from '../route/ways.ts';
import {
  findEnrollment,
  findLatestEnrollment,
  findPendingEnrollment,
  insertEnrollment,
  makeCurrent,
  type EnrollmentRow,
} from './store.ts';

export interface Enrolled {
  readonly beneficiary: Beneficiary;
  readonly bankAccount: BankAccount;
  /** The provider did not answer within the time that a request waits. A job goes on. */
  readonly pending: boolean;
}

/**
 * Enrolls a bank account with the provider. A job makes the call; the request watches the enrollment's
 * row for ENROLL_WAIT_MS at most. An account version that is enrolled already is answered without a
 * call. Throws not_found, BENEFICIARY_ARCHIVED,
 * BENEFICIARY_NOT_COMPLIANT, NO_PAYOUT_USABLE_BANK_ACCOUNT, BANK_ACCOUNT_AMBIGUOUS,
 * BANK_ACCOUNT_NOT_FOUND, BANK_ACCOUNT_BENEFICIARY_MISMATCH, BANK_ACCOUNT_NOT_PAYOUT_USABLE,
 * conflict while another account is being enrolled, PAYOUT_ROUTE_MISSING where the tenant has routes and
 * none leads to the account, unprocessable_entity where no provider is configured for the environment, BENEFICIARY_ENROLLMENT_FAILED, forbidden.
 */
export async function enrollBeneficiary(
  call: Call,
  beneficiaryId: string,
  bankAccountId: string | null,
): Promise<Enrolled> {
  requirePermission(call.scope, 'payees:write');
  const begun = await inTransaction(call.services.pool, (client) =>
    begin(client, call, beneficiaryId, bankAccountId),
  );
  const enrollment = await watch(call, begun);
  const { status, failureMessage } = enrollment;
  if (status !== 'pending' && status !== 'verified') {
    throw new DomainError('BENEFICIARY_ENROLLMENT_FAILED', {
      message: `The payout rail refused the enrollment: ${failureMessage ?? status}`,
    });
  }
  const { services, scope } = call;
  const beneficiary = await readBeneficiary(call, beneficiaryId);
  const bankAccount = await findBankAccount(services.pool, scope, enrollment.bankAccountId);
  if (bankAccount === null) throw new Error(`bank account ${enrollment.bankAccountId} is gone`);
  return { beneficiary, bankAccount, pending: status === 'pending' };
}

/**
 * Checks and begins under the lock of the beneficiary's row, so that two requests at once make one
 * enrollment, and what was checked holds at commit.
 */
async function begin(
  client: PoolClient,
  call: Call,
  beneficiaryId: string,
  bankAccountId: string | null,
): Promise<EnrollmentRow> {
  const { scope } = call;
  const beneficiary = await lockBeneficiary(client, scope, beneficiaryId);
  if (beneficiary === null) throw notFound('beneficiary');
  if (beneficiary.archivedAt !== null) throw new DomainError('BENEFICIARY_ARCHIVED');
  if (beneficiary.complianceStatus !== 'compliant') {
    throw new DomainError('BENEFICIARY_NOT_COMPLIANT', {
      message: 'The beneficiary has not passed the compliance gate that enrollment requires.',
    });
  }
  const account = await chooseAccount(client, call, beneficiaryId, bankAccountId);
  const version = { bankAccountId: account.id, version: account.version };
  const provider = await providerFor(client, call, account);
  const latest = await findLatestEnrollment(client, scope, version, provider);
  if (latest?.status === 'pending') return latest;
  if ((await findPendingEnrollment(client, scope, beneficiaryId)) !== null) {
    throw new DomainError('conflict', {
      message: 'Another enrollment of this beneficiary is under way; try again when it has ended.',
    });
  }
  if (latest?.status === 'verified') {
    await makeCurrent(client, scope, latest.id);
    return latest;
  }
  const id = newId('enrollment');
  const enrollment = await insertEnrollment(client, scope, {
    id,
    beneficiaryId,
    ...version,
    provider,
    payeeCiphertext: sealPayee(call, id, beneficiary),
  });
  await enqueue(
    client,
    'enroll_bank_account',
    { tenantId: scope.tenantId, enrollmentId: id },
    { jobKey: id },
  );
  return enrollment;
}

/** The name of the provider that pays to the account. Throws PAYOUT_ROUTE_MISSING, unprocessable_entity. */
async function providerFor(client: PoolClient, call: Call, account: BankAccount): Promise<string> {
  const way = await wayTo(call, client, account);
  switch (way.kind) {
    case 'rail':
    case 'unwritable':
      return way.rail.name;
    case 'away':
      throw notConfigured(call);
    case 'none': {
      const routed = (await readRouting(client, call.scope)).routes.length > 0;
      throw routed ? new DomainError('PAYOUT_ROUTE_MISSING') : notConfigured(call);
    }
  }
}

/** Verified and validated. An account that the rail refused may be tried again on request. */
function isEnrollable(account: BankAccount): boolean {
  return isPayoutUsable({ ...account, railRejectionReason: null });
}

async function chooseAccount(
  client: PoolClient,
  call: Call,
  beneficiaryId: string,
  bankAccountId: string | null,
): Promise<BankAccount> {
  const accounts = await lockBankAccounts(client, call.scope, beneficiaryId);
  if (bankAccountId === null) return onlyAccount(accounts);
  const named = accounts.find((account) => account.id === bankAccountId);
  if (named === undefined) {
    const foreign = await findBankAccount(client, call.scope, bankAccountId);
    throw new DomainError(
      foreign === null ? 'BANK_ACCOUNT_NOT_FOUND' : 'BANK_ACCOUNT_BENEFICIARY_MISMATCH',
    );
  }
  const reason = unusableReason({ ...named, railRejectionReason: null });
  if (reason === null) return named;
  throw new DomainError('BANK_ACCOUNT_NOT_PAYOUT_USABLE', { message: reason.message });
}

/**
 * The account to enroll when none is named. One that the rail refused counts only if there is no
 * other.
 */
function onlyAccount(accounts: readonly BankAccount[]): BankAccount {
  const usable = accounts.filter(isPayoutUsable);
  const candidates = usable.length > 0 ? usable : accounts.filter(isEnrollable);
  const [account] = candidates;
  if (account === undefined) throw new DomainError('NO_PAYOUT_USABLE_BANK_ACCOUNT');
  if (candidates.length > 1) throw new DomainError('BANK_ACCOUNT_AMBIGUOUS');
  return account;
}

const firstPauseMs = 20;
const longestPauseMs = 500;

/** Reads the row with growing pauses until it is not pending or the request's time is up. */
async function watch(call: Call, begun: EnrollmentRow): Promise<EnrollmentRow> {
  const { config, pool } = call.services;
  const until = performance.now() + config.ENROLL_WAIT_MS;
  let row = begun;
  for (let ms = firstPauseMs; row.status === 'pending'; ms = Math.min(ms * 1.5, longestPauseMs)) {
    const left = until - performance.now();
    if (left <= 0) return row;
    await pause(Math.min(ms, left));
    row = (await findEnrollment(pool, call.scope, begun.id)) ?? row;
  }
  return row;
}
