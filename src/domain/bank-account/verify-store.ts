import { Prisma, type BankAccount } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { firstRow, rows, type Queryable, type Statement } from '../../db/pool.ts';
import { isId } from '../../values/ids.ts';

/** Verifies one account that is pending although its owner is compliant; the owner is locked as for a registration. */
const verifyAccount: Statement = {
  name: 'verify_bank_account',
  text: `
    WITH owner AS (
      SELECT id FROM beneficiary
      WHERE tenant_id = $1 AND id = $2 AND archived_at IS NULL AND compliance_status = 'compliant'
      FOR SHARE
    )
    UPDATE bank_account a SET status = 'verified', updated_at = now()
    FROM owner o
    WHERE a.tenant_id = $1 AND a.id = $3 AND a.beneficiary_id = o.id
      AND a.status = 'pending_verification'
    RETURNING ${columns(Prisma.BankAccountScalarFieldEnum, 'new')}`,
};

/**
 * Verifies a pending account of a compliant, active owner; null when any of that is not so, and for a
 * malformed id.
 */
export async function recordVerification(
  client: Queryable,
  scope: Scope,
  beneficiaryId: string,
  accountId: string,
): Promise<BankAccount | null> {
  if (!isId('beneficiary', beneficiaryId) || !isId('bankAccount', accountId)) return null;
  return firstRow<BankAccount>(client, verifyAccount, [scope.tenantId, beneficiaryId, accountId]);
}

const verifyAccounts: Statement = {
  name: 'verify_bank_accounts',
  text: `
    UPDATE bank_account SET status = 'verified', updated_at = now()
    WHERE tenant_id = $1 AND beneficiary_id = $2 AND status = 'pending_verification'`,
};

/**
 * Verifies the accounts that waited for their owner's compliance. It is a statement of its
 * own, after the one that changed the owner and in the same transaction: only a new snapshot sees an
 * account that was registered while the first one waited for the owner's row.
 */
export async function verifyPendingAccounts(
  client: Queryable,
  scope: Scope,
  beneficiaryId: string,
): Promise<void> {
  await rows(client, verifyAccounts, [scope.tenantId, beneficiaryId]);
}
