import type { PoolClient } from 'pg';
import type { BankAccount } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { violatesUnique } from '../../db/errors.ts';
import { inTransaction } from '../../db/pool.ts';
import { retryOnConflict } from '../../db/retry.ts';
import { DomainError } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { ownChange, referenceTaken, type OwnChange } from '../own-fields.ts';
import { identifierFields, type BankDetails } from './bank-details.ts';
import { openHolder, openIdentifiers, sealIdentifiers } from './details.ts';
import { bankAccountInput, toBankDetails, type BankAccountInput } from './input.ts';
import { readActiveOwner } from './owner.ts';
import { accountHash, isSameAccount, paidAs, type Details } from './same.ts';
import {
  confirmBankAccount,
  findStoredBankAccount,
  updateBankAccount,
  type NewBankAccount,
  type StoredBankAccount,
} from './store.ts';
import { checkBankDetails } from './validate.ts';

const detailFields = [
  'accountHolderName',
  'country',
  'currency',
  'bankName',
  'accountType',
  ...identifierFields,
] as const satisfies readonly (keyof BankDetails)[];

/** Every field in one order, absent ones too, so that equal details are equal texts. */
function comparable(details: Details): string {
  return JSON.stringify(detailFields.map((field) => details[field] ?? null));
}

/** Whether normalised details are those that the account has. */
export function isUnchanged(
  call: Call,
  stored: StoredBankAccount,
  normalized: BankDetails,
): boolean {
  const identifiers = openIdentifiers(call, stored.id, stored.version, stored.identifiers);
  const { country, currency, bankName, accountType } = stored;
  const accountHolderName = openHolder(call, 'bankAccount', stored);
  const details = { accountHolderName, country, currency, bankName, accountType, ...identifiers };
  // The enrollment writes the type of an account without one: to leave it out changes nothing.
  const given =
    normalized.accountType === undefined && accountType === paidAs(normalized)
      ? { ...normalized, accountType }
      : normalized;
  return comparable(details) === comparable(given);
}

/** What a replacement of details depends on. */
interface ReplacementBound {
  /** The version to replace, which may be no later one. */
  readonly version?: number;
  /** Runs in the transaction that stores the new version. What it throws leaves the account as it is. */
  readonly together?: (client: PoolClient) => Promise<unknown>;
}

/**
 * Replaces the details of a bank account as a whole; `status` stays, the checks run again, and a
 * rejection by the rail is cleared. Details that equal the stored ones, however they are spelled, make
 * no new version, and neither does what the business keeps beside them. Malformed details change nothing.
 * Throws not_found, BENEFICIARY_ARCHIVED, BANK_ACCOUNT_NOT_FOUND, BANK_ACCOUNT_MISSING_ROUTING,
 * BANK_ACCOUNT_VALIDATION_FAILED, EXTERNAL_REF_ALREADY_EXISTS, validation_failed, conflict, forbidden.
 *
 * @param only what the change depends on, where it is no change by hand
 */
export async function replaceBankAccountDetails(
  call: Call,
  beneficiaryId: string,
  accountId: string,
  given: BankAccountInput,
  only: ReplacementBound = {},
): Promise<BankAccount> {
  requirePermission(call.scope, 'payees:write');
  const input = parseInput(bankAccountInput, given);
  const { services, scope } = call;
  const replaced = await retryOnConflict(async () => {
    const current = await findStoredBankAccount(services.pool, scope, accountId);
    if (current?.beneficiaryId !== beneficiaryId) {
      await readActiveOwner(call, beneficiaryId);
      throw new DomainError('BANK_ACCOUNT_NOT_FOUND');
    }
    if (only.version !== undefined && current.version !== only.version) throw changedMeanwhile();
    const details = checkBankDetails(toBankDetails(input));
    const account = { id: accountId, beneficiaryId, details, own: ownChange(input) };
    const stored = isUnchanged(call, current, details.normalized)
      ? await confirmBankAccount(services.pool, scope, account, current.version)
      : await storeNext(call, account, current, only.together);
    if (stored === null) await readActiveOwner(call, beneficiaryId);
    return stored;
  });
  if (replaced !== null) return replaced;
  throw changedMeanwhile();
}

function changedMeanwhile(): DomainError {
  return new DomainError('conflict', {
    message: 'Another request changed the bank account at the same time; send the request again.',
  });
}

/**
 * Whether the new details are of the account that is there. It keeps its hash, so one that its owner has twice from an
 * earlier release can still be corrected.
 */
function staysItself(call: Call, stored: StoredBankAccount, normalized: BankDetails): boolean {
  const { country, currency, accountType } = stored;
  const identifiers = openIdentifiers(call, stored.id, stored.version, stored.identifiers);
  return isSameAccount({ country, currency, accountType, ...identifiers }, normalized);
}

/** Stores the version after `from`; its ciphertext is bound to it, so it is known before the write. */
async function storeNext(
  call: Call,
  account: Pick<NewBankAccount, 'id' | 'beneficiaryId' | 'details'> & { readonly own: OwnChange },
  from: StoredBankAccount,
  together: ReplacementBound['together'],
): Promise<BankAccount | null> {
  const { normalized } = account.details;
  const identifiers = sealIdentifiers(call, account.id, from.version + 1, normalized);
  const hash = staysItself(call, from, normalized)
    ? null
    : (await accountHash(call))(account.beneficiaryId, normalized);
  try {
    return await inTransaction(call.services.pool, async (client) => {
      const next = { ...account, identifiers, hash };
      const stored = await updateBankAccount(client, call, next, from.version);
      if (stored !== null) await together?.(client);
      return stored;
    });
  } catch (error) {
    // Another account of the owner got these details at the same moment: the next attempt finds it.
    if (violatesUnique(error, 'bank_account_tenant_id_beneficiary_id_details_hash_key'))
      return null;
    throw referenceTaken(error, 'bank_account');
  }
}
