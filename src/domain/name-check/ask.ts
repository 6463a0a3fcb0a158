import type { BankAccount } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { enqueue } from '../../queue/queue.ts';
import { jobKeyOf } from '../../queue/tasks.ts';
import { readActiveOwner } from '../bank-account/owner.ts';
import { findBankAccount } from '../bank-account/store.ts';

const wait = named(
  'ask_name_check_again',
  ['tenant', 'account', 'version'],
  `
    UPDATE bank_account a SET name_check = 'pending', name_check_confirmed_at = NULL, updated_at = now()
    WHERE a.tenant_id = @tenant AND a.id = @account AND a.version = @version
    RETURNING a.id`,
);

/**
 * Has the bank of an account asked for its holder's name, once more or for the first time. A confirmation of the result
 * before ends. Throws not_found, BENEFICIARY_ARCHIVED, BANK_ACCOUNT_NOT_FOUND, conflict where the details change at the
 * same time, forbidden.
 */
export async function askNameCheck(
  call: Call,
  beneficiaryId: string,
  accountId: string,
): Promise<BankAccount> {
  const { services, scope } = call;
  requirePermission(scope, 'payees:write');
  const owner = await readActiveOwner(call, beneficiaryId);
  const account = await findBankAccount(services.pool, scope, accountId);
  if (account?.beneficiaryId !== owner.id) throw new DomainError('BANK_ACCOUNT_NOT_FOUND');
  const { version } = account;
  return inTransaction(services.pool, async (client) => {
    const values = wait.of({ tenant: scope.tenantId, account: accountId, version });
    if ((await firstRow(client, wait, values)) === null) throw new DomainError('conflict');
    const payload = { tenantId: scope.tenantId, bankAccountId: accountId, version, tries: 0 };
    await enqueue(client, 'check_name', payload, { jobKey: jobKeyOf('check_name', payload) });
    const waiting = await findBankAccount(client, scope, accountId);
    if (waiting === null) throw new DomainError('BANK_ACCOUNT_NOT_FOUND');
    return waiting;
  });
}
