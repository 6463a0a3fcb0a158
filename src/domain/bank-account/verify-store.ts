import type { BankAccount } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import type { Queryable } from '../../db/pool.ts';
import { isId } from '../../values/ids.ts';
import { verifyBankAccount, verifyBankAccounts } from './commands.gen.ts';

/**
 * Verifies a pending account of a compliant, active owner; null when any of that is not so, and for a
 * malformed id.
 */
export async function recordVerification(
  client: Queryable,
  scope: Scope,
  beneficiary: string,
  account: string,
): Promise<BankAccount | null> {
  if (!isId('beneficiary', beneficiary) || !isId('bankAccount', account)) return null;
  const [verified] = await verifyBankAccount(client, scope.tenantId, { beneficiary, account });
  return verified ?? null;
}

/**
 * Verifies the accounts that waited for their owner's compliance. It is a statement of its
 * own, after the one that changed the owner and in the same transaction: only a new snapshot sees an
 * account that was registered while the first one waited for the owner's row.
 */
export async function verifyPendingAccounts(
  client: Queryable,
  scope: Scope,
  beneficiary: string,
): Promise<void> {
  await verifyBankAccounts(client, scope.tenantId, { beneficiary });
}
