import type { z } from 'zod';
import type { Beneficiary } from '../../../generated/prisma/client.ts';
import { requirePermission } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import { DomainError } from '../../errors/domain-error.ts';
import { newId } from '../../values/ids.ts';
import type { Call } from '../../process/services.ts';
import { parseInput } from '../../values/validate.ts';
import { toBankDetails } from '../bank-account/input.ts';
import { maskBankDetails } from '../bank-account/mask.ts';
import { newBankAccount } from '../bank-account/register.ts';
import { accountHash } from '../bank-account/same.ts';
import { insertBankAccount } from '../bank-account/store.ts';
import { checkBankDetails, type CheckedBankDetails } from '../bank-account/validate.ts';
import { claimKey, creationKey } from '../creation-key/claim.ts';
import { emailHash, type EmailHash } from '../encryption/lookup.ts';
import { sealPersonal, sealText, type PersonalFieldOf } from '../encryption/personal.ts';
import {
  compactAddress,
  requireCompleteIdentity,
  requireLegalName,
  requireOwnFields,
  taken,
} from './content.ts';
import { ownOf } from '../own-fields.ts';
import { identityComplete } from './identity.ts';
import { emailKey } from '../../values/fields.ts';
import { beneficiaryCreateInput, type BeneficiaryCreateInput } from './input.ts';
import { readBeneficiary } from './store.ts';
import { insertBeneficiary, type NewBeneficiary } from './write-store.ts';

type Parsed = Omit<z.output<typeof beneficiaryCreateInput>, 'idempotencyKey'>;

/** A beneficiary as a create answers it. */
export interface CreatedBeneficiary extends Beneficiary {
  /** The same request made it before, under the same key. */
  readonly createdBefore?: boolean;
}

/**
 * Registers a beneficiary: `compliant` at once when `acknowledged`, else
 * `pending`. The deprecated `bankDetails` become a bank account in the same transaction. The same `idempotencyKey` with
 * the same content gives the same beneficiary, as it is by then, for IDEMPOTENCY_HOURS. Throws IDEMPOTENCY_KEY_REUSED,
 * validation_failed, BENEFICIARY_IDENTITY_INVALID, BENEFICIARY_IDENTITY_INCOMPLETE,
 * BANK_ACCOUNT_VALIDATION_FAILED, BENEFICIARY_EMAIL_ALREADY_EXISTS, EXTERNAL_REF_ALREADY_EXISTS, forbidden.
 */
export async function createBeneficiary(
  call: Call,
  given: BeneficiaryCreateInput,
): Promise<CreatedBeneficiary> {
  requirePermission(call.scope, 'payees:write');
  const { idempotencyKey, ...input } = parseInput(beneficiaryCreateInput, given);
  requireOwnFields(input);
  requireLegalName(input);
  if (input.acknowledged === true) requireCompleteIdentity(input);
  const bank = checkDeprecatedDetails(input.bankDetails);
  const beneficiary = toRow(call, input, bank, await emailHash(call));
  const hash = await accountHash(call);
  const key = await creationKey(call, 'beneficiary', idempotencyKey, input);
  const { services, scope } = call;
  try {
    const made = await inTransaction(services.pool, async (client) => {
      const before = await claimKey(client, call, key, beneficiary.id);
      if (before !== null) return before;
      const row = await insertBeneficiary(client, scope, beneficiary);
      if (bank !== null) {
        await insertBankAccount(client, call, newBankAccount(call, row.id, bank, hash));
      }
      return row;
    });
    if (typeof made !== 'string') return made;
    return { ...(await readBeneficiary(call, made)), createdBefore: true };
  } catch (error) {
    throw taken(error);
  }
}

/** The same checks as for a bank account, with the field names of this body. */
function checkDeprecatedDetails(given: Parsed['bankDetails']): CheckedBankDetails | null {
  if (given === null || given === undefined) return null;
  try {
    return checkBankDetails(toBankDetails(given));
  } catch (error) {
    if (!(error instanceof DomainError) || error.details.length === 0) throw error;
    throw new DomainError(error.code, {
      cause: error,
      details: error.details.map((one) => ({ ...one, field: `bankDetails.${one.field}` })),
    });
  }
}

function toRow(
  call: Call,
  input: Parsed,
  bank: CheckedBankDetails | null,
  hash: EmailHash,
): NewBeneficiary {
  const id = newId('beneficiary');
  const seal = (field: PersonalFieldOf<'beneficiary'>, value: string | object | null | undefined) =>
    sealPersonal(call, 'beneficiary', { id }, field, value ?? null);
  const key = emailKey(input.email);
  return {
    id,
    beneficiaryType: input.beneficiaryType,
    complianceStatus: input.acknowledged === true ? 'compliant' : 'pending',
    maskedBankDetailsCiphertext: seal(
      'maskedBankDetails',
      bank && maskBankDetails(bank.normalized),
    ),
    emailKey: key,
    emailHash: hash(key),
    emailCiphertext: sealText(call, 'beneficiary', { id }, 'email', input.email),
    phoneCiphertext: seal('phone', input.phone),
    nickname: input.nickname ?? null,
    firstName: input.firstName ?? null,
    lastName: input.lastName ?? null,
    countryOfResidence: input.countryOfResidence ?? null,
    dateOfBirthCiphertext: seal('dateOfBirth', input.dateOfBirth),
    businessName: input.businessName ?? null,
    countryOfIncorporation: input.countryOfIncorporation ?? null,
    registrationNumberCiphertext: seal('registrationNumber', input.registrationNumber),
    taxIdCiphertext: seal('taxId', input.taxId),
    postalAddressCiphertext: seal('postalAddress', compactAddress(input.postalAddress)),
    ...ownOf(input),
    identityPending: input.identityPending === true && !identityComplete(input),
  };
}
