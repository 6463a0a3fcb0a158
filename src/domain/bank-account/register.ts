import type { PoolClient } from 'pg';
import { z } from 'zod';
import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError, notFound } from '../../errors/domain-error.ts';
import { isId, newId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { idempotencyKey as idempotencyKeyOf } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import { claimKey, creationKey, pointKeyTo, type CreationKey } from '../creation-key/claim.ts';
import { ownOf, referenceTaken, type OwnFields } from '../own-fields.ts';
import { sealIdentifiers } from './details.ts';
import { bankAccountInput, toBankDetails, type BankAccountInput } from './input.ts';
import { readActiveOwner } from './owner.ts';
import { accountHash, type AccountHash } from './same.ts';
import {
  findBankAccount,
  insertBankAccount,
  tooManyAccounts,
  type NewBankAccount,
  type Registered,
} from './store.ts';
import { checkBankDetails, type CheckedBankDetails } from './validate.ts';

const keyInput = z.strictObject({ idempotencyKey: idempotencyKeyOf.nullish() });

/**
 * Registers a bank account of a beneficiary; it is `verified` at once when the owner is compliant. One that the
 * beneficiary has already stays as it is, and is given back as one that `existed`; so is what the same request registered
 * under the same key within IDEMPOTENCY_HOURS. Throws IDEMPOTENCY_KEY_REUSED, not_found, BENEFICIARY_ARCHIVED, BANK_ACCOUNT_MISSING_ROUTING,
 * BANK_ACCOUNT_VALIDATION_FAILED, EXTERNAL_REF_ALREADY_EXISTS, validation_failed, forbidden;
 * unprocessable_entity for one account more than a beneficiary may have.
 */
export async function registerBankAccount(
  call: Call,
  beneficiaryId: string,
  given: BankAccountInput,
  key: string | null = null,
): Promise<Registered> {
  requirePermission(call.scope, 'payees:write');
  const input = parseInput(bankAccountInput, given);
  const { idempotencyKey } = parseInput(keyInput, { idempotencyKey: key });
  if (!isId('beneficiary', beneficiaryId)) throw notFound('beneficiary');
  const details = await checkedDetails(call, beneficiaryId, input);
  const hash = await accountHash(call);
  const prepared = newBankAccount(call, beneficiaryId, details, hash, ownOf(input));
  const claim = await creationKey(call, 'bank_account', idempotencyKey, [beneficiaryId, input]);
  try {
    return await inTransaction(call.services.pool, (client) =>
      registerOnce(client, call, prepared, claim),
    );
  } catch (error) {
    if (!(error instanceof NotTaken)) throw referenceTaken(error, 'bank_account');
  }
  await readActiveOwner(call, beneficiaryId);
  throw tooManyAccounts(call);
}

/** The owner takes no account. It ends the transaction, so that the key stays free. */
class NotTaken extends Error {}

async function registerOnce(
  client: PoolClient,
  call: Call,
  prepared: NewBankAccount,
  claim: CreationKey | null,
): Promise<Registered> {
  const before = await claimKey(client, call, claim, prepared.id);
  if (before !== null) {
    const account = await findBankAccount(client, call.scope, before);
    if (account === null) throw new DomainError('BANK_ACCOUNT_NOT_FOUND');
    return { account, existed: true };
  }
  const registered = await insertBankAccount(client, call, prepared);
  if (registered === null) throw new NotTaken();
  if (registered.existed) await pointKeyTo(client, call, claim, registered.account.id);
  return registered;
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
  own: OwnFields = ownOf({}),
): NewBankAccount {
  const id = newId('bankAccount');
  return {
    id,
    beneficiaryId,
    details,
    identifiers: sealIdentifiers(call, id, 1, details.normalized),
    hash: hash(beneficiaryId, details.normalized),
    own,
  };
}
