import type { z } from 'zod';
import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { notFound } from '../../errors/domain-error.ts';
import { isId, newId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { sealIdentifiers } from './details.ts';
import { bankAccountInput, toBankDetails, type BankAccountInput } from './input.ts';
import { readActiveOwner } from './owner.ts';
import { accountHash, type AccountHash } from './same.ts';
import {
  insertBankAccount,
  tooManyAccounts,
  type NewBankAccount,
  type Registered,
} from './store.ts';
import { checkBankDetails, type CheckedBankDetails } from './validate.ts';

/**
 * Registers a bank account of a beneficiary; it is `verified` at once when the owner is compliant. One that the
 * beneficiary has already stays as it is, and is given back as one that `existed`.
 * Throws not_found, BENEFICIARY_ARCHIVED, BANK_ACCOUNT_MISSING_ROUTING,
 * BANK_ACCOUNT_VALIDATION_FAILED, validation_failed, forbidden; unprocessable_entity for one account
 * more than a beneficiary may have.
 */
export async function registerBankAccount(
  call: Call,
  beneficiaryId: string,
  given: BankAccountInput,
): Promise<Registered> {
  requirePermission(call.scope, 'payees:write');
  const input = parseInput(bankAccountInput, given);
  if (!isId('beneficiary', beneficiaryId)) throw notFound('beneficiary');
  const details = await checkedDetails(call, beneficiaryId, input);
  const prepared = newBankAccount(call, beneficiaryId, details, await accountHash(call));
  const registered = await inTransaction(call.services.pool, (client) =>
    insertBankAccount(client, call, prepared),
  );
  if (registered !== null) return registered;
  await readActiveOwner(call, beneficiaryId);
  throw tooManyAccounts(call);
}

/** An owner that takes no account is reported before a fault of the account. */
async function checkedDetails(
  call: Call,
  beneficiaryId: string,
  input: z.output<typeof bankAccountInput>,
): Promise<CheckedBankDetails> {
  try {
    return checkBankDetails(toBankDetails(input));
  } catch (error) {
    await readActiveOwner(call, beneficiaryId);
    throw error;
  }
}

/** An account to be inserted: its id and its encrypted first version. */
export function newBankAccount(
  call: Call,
  beneficiaryId: string,
  details: CheckedBankDetails,
  hash: AccountHash,
): NewBankAccount {
  const id = newId('bankAccount');
  return {
    id,
    beneficiaryId,
    details,
    identifiers: sealIdentifiers(call, id, 1, details.normalized),
    hash: hash(beneficiaryId, details.normalized),
  };
}
