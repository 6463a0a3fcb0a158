import type { BankAccount } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { retryOnConflict } from '../../db/retry.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { readActiveOwner } from './owner.ts';
import { findBankAccount, recordVerification } from './store.ts';

/**
 * Verifies one bank account of a compliant beneficiary. Accounts are verified with their owner's
 * compliance, so this is rarely needed; an account that is verified already is answered by
 * BANK_ACCOUNT_NOT_PENDING. Throws not_found, BENEFICIARY_ARCHIVED,
 * BANK_ACCOUNT_NOT_FOUND, BANK_ACCOUNT_NOT_PENDING, BENEFICIARY_NOT_COMPLIANT, conflict, forbidden.
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
    if (account.status !== 'pending_verification')
      throw new DomainError('BANK_ACCOUNT_NOT_PENDING');
    if (owner.complianceStatus !== 'compliant') throw new DomainError('BENEFICIARY_NOT_COMPLIANT');
    return null;
  });
  if (verified !== null) return verified;
  throw new DomainError('conflict', {
    message: 'Another request changed the beneficiary at the same time; send the request again.',
  });
}
