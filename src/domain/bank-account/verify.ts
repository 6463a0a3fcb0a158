import type { BankAccount } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { retryOnConflict } from '../../db/retry.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { readActiveOwner } from './owner.ts';
import { findBankAccount } from './store.ts';
import { recordVerification } from './verify-store.ts';
import { unusableReason } from './usability.ts';

/**
 * Verifies one bank account of a compliant beneficiary. Accounts are verified with their owner's
 * compliance, so this is rarely needed. An account that is verified and usable is answered by
 * BANK_ACCOUNT_NOT_PENDING, one that is verified and yet cannot be paid by BANK_ACCOUNT_NOT_VALIDATED or
 * BANK_ACCOUNT_RAIL_REJECTED. Throws not_found, BENEFICIARY_ARCHIVED,
 * BANK_ACCOUNT_NOT_FOUND, BENEFICIARY_NOT_COMPLIANT, conflict, forbidden.
 */
export async function verifyBankAccount(
  call: Call,
  beneficiaryId: string,
  accountId: string,
): Promise<BankAccount> {
  const { services, scope } = call;
  requirePermission(scope, 'payees:write');
  // An acknowledgment or a suspension may come between.
  const verified = await retryOnConflict(async () => {
    const recorded = await recordVerification(services.pool, scope, beneficiaryId, accountId);
    if (recorded !== null) return recorded;
    const owner = await readActiveOwner(call, beneficiaryId);
    const account = await findBankAccount(services.pool, scope, accountId);
    if (account?.beneficiaryId !== owner.id) throw new DomainError('BANK_ACCOUNT_NOT_FOUND');
    if (account.status !== 'pending_verification') throw nothingToVerify(account);
    if (owner.complianceStatus !== 'compliant') throw new DomainError('BENEFICIARY_NOT_COMPLIANT');
    return null;
  });
  if (verified !== null) return verified;
  throw new DomainError('conflict', {
    message: 'Another request changed the beneficiary at the same time; send the request again.',
  });
}

/** The caller of a verified account wants to pay it, and is told what is in the way of that. */
function nothingToVerify(account: BankAccount): DomainError {
  const reason = unusableReason(account);
  if (reason === null) return new DomainError('BANK_ACCOUNT_NOT_PENDING');
  if (reason.code === 'rail_rejected' && account.railRejectionReason !== null) {
    return new DomainError('BANK_ACCOUNT_RAIL_REJECTED', {
      message: `The payout rail refused this account: ${account.railRejectionReason}`,
    });
  }
  return new DomainError('BANK_ACCOUNT_NOT_VALIDATED', { message: reason.message });
}
