import { z } from 'zod';
import type { BankAccount, NameCheck } from '../../../generated/prisma/client.ts';
import { requirePermission, userOf } from '../../access/scope.ts';
import { named } from '../../db/named.ts';
import { firstRow, inTransaction, rows, type Queryable } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { reasonMessage } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import { openDestination } from '../bank-account/details.ts';
import { findBankAccount } from '../bank-account/store.ts';
import { replaceBankAccountDetails } from '../bank-account/update.ts';
import { demandsDistinctApprover } from '../payout/approval-obstacle.ts';
import { findNameCheck, openNameOnFile } from './store.ts';

const confirmationInput = z.strictObject({ reason: reasonMessage });

/** The account's row, so that no later answer comes between, and who gave the details of this version. */
const lockChecked = named(
  'lock_checked_account',
  ['tenant', 'check'],
  `
    SELECT a.version, a.name_check AS "nameCheck", v.actor ->> 'user_id' AS "givenBy", (
      SELECT max(x.id) FROM name_check x
      WHERE x.tenant_id = @tenant AND x.bank_account_id = n.bank_account_id AND x.version = n.version
    ) AS "latest"
    FROM name_check n
    JOIN bank_account a ON a.tenant_id = @tenant AND a.id = n.bank_account_id
    JOIN bank_account_version v ON v.tenant_id = @tenant AND v.bank_account_id = n.bank_account_id AND v.version = n.version
    WHERE n.tenant_id = @tenant AND n.id = @check
    FOR NO KEY UPDATE OF a`,
);

interface Locked extends Record<string, unknown> {
  readonly version: number;
  readonly nameCheck: string | null;
  readonly givenBy: string | null;
  readonly latest: string;
}

const noteConfirmation = named(
  'confirm_name_check',
  ['tenant', 'check', 'actor', 'reason'],
  `
    UPDATE name_check n SET confirmed_by = @actor::jsonb, confirmed_reason = @reason, confirmed_at = now()
    WHERE n.tenant_id = @tenant AND n.id = @check AND n.confirmed_at IS NULL
    RETURNING n.id`,
);

const noteOnAccount = named(
  'note_confirmed_name',
  ['tenant', 'account'],
  `
    UPDATE bank_account a SET name_check_confirmed_at = now(), updated_at = now()
    WHERE a.tenant_id = @tenant AND a.id = @account`,
);

async function readCheck({ services, scope }: Call, id: string): Promise<NameCheck> {
  const found = await findNameCheck(services.pool, scope, id);
  if (found === null) {
    throw new DomainError('not_found', { message: 'There is no such answer of a bank.' });
  }
  return found;
}

/** Throws conflict unless the check is the latest word on the account as it is. */
async function lockLatest(client: Queryable, { scope }: Call, check: NameCheck): Promise<Locked> {
  const values = lockChecked.of({ tenant: scope.tenantId, check: check.id });
  const locked = await firstRow<Locked>(client, lockChecked, values);
  const isLatest =
    locked?.version === check.version &&
    locked.latest === check.id &&
    locked.nameCheck === check.result;
  if (locked === null || !isLatest) {
    throw new DomainError('conflict', {
      message: 'The account has other details, or another answer of its bank, by now.',
    });
  }
  return locked;
}

/**
 * Confirms that an account is the payee's although its bank does not have its holder by that name, with a reason. It
 * holds for this answer and these details. With distinct_approver not for whoever gave the details. A repetition changes
 * nothing. Throws forbidden, validation_failed, not_found; conflict for a match, and for an answer that is not the latest
 * about the account as it is.
 */
export async function confirmName(
  call: Call,
  checkId: string,
  given: z.input<typeof confirmationInput>,
): Promise<BankAccount> {
  const { scope, services } = call;
  requirePermission(scope, 'payouts:decide');
  const { reason } = parseInput(confirmationInput, given);
  const check = await readCheck(call, checkId);
  if (check.result === 'match') {
    throw new DomainError('conflict', {
      message: 'The name matches; there is nothing to confirm.',
    });
  }
  const fourEyes = await demandsDistinctApprover(call);
  await inTransaction(services.pool, async (client) => {
    const { givenBy } = await lockLatest(client, call, check);
    if (fourEyes && givenBy !== null && givenBy === userOf(scope)) {
      throw new DomainError('forbidden', {
        message:
          'You gave the details of the account, so another person has to confirm the name (distinct_approver).',
      });
    }
    const tenant = scope.tenantId;
    const actor = JSON.stringify(scope.actor);
    const values = noteConfirmation.of({ tenant, check: checkId, actor, reason });
    if ((await firstRow(client, noteConfirmation, values)) === null) return;
    await rows(client, noteOnAccount, noteOnAccount.of({ tenant, account: check.bankAccountId }));
  });
  const account = await findBankAccount(services.pool, scope, check.bankAccountId);
  if (account === null) throw new DomainError('BANK_ACCOUNT_NOT_FOUND');
  return account;
}

/**
 * Takes over the name that the bank has: the account gets a new version with it, by the rules of every change of details,
 * so open payouts ask for their approval again. Throws not_found, forbidden; conflict where the bank told no name or the
 * account has other details by now; and what replaceBankAccountDetails throws.
 */
export async function takeNameOnFile(call: Call, checkId: string): Promise<BankAccount> {
  const { scope, services } = call;
  requirePermission(scope, 'payees:write');
  const check = await readCheck(call, checkId);
  const name = openNameOnFile(call, check);
  if (name === null) throw new DomainError('conflict', { message: 'The bank told no name.' });
  const { bankAccountId, version } = check;
  const account = await findBankAccount(services.pool, scope, bankAccountId);
  if (account === null) throw new DomainError('BANK_ACCOUNT_NOT_FOUND');
  const details = await openDestination(call, bankAccountId, version);
  const taken = { ...details, accountHolderName: name };
  return replaceBankAccountDetails(call, account.beneficiaryId, bankAccountId, taken, { version });
}
