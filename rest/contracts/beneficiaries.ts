import { z } from 'zod';
import {
  country,
  email,
  externalRef,
  isoDate,
  optionalText,
  phone,
  postalAddressWire,
} from '../../src/values/fields.ts';
import { bankAccount, bankDetailsShape } from './bank-accounts.ts';
import {
  addressView,
  beneficiaryType,
  createKey,
  documentedAs,
  id,
  nextCursor,
  ownBody,
  ownMetadata,
  pageQuery,
  pathId,
  timestamp,
  updatedSince,
} from './common.ts';
import { shownFields } from '../../src/domain/beneficiary/fields.ts';
import { answered, byWireName } from './declared.ts';
import { schemaEnum } from './schema-enum.ts';

const complianceStatus = schemaEnum('ComplianceStatus');
const enrollmentStatus = schemaEnum('EnrollmentStatus');

const maskedBankDetails = z
  .object({
    account_holder_name: z.string(),
    country: z.string(),
    currency: z.string(),
    account_number: z.string().nullable(),
    iban: z.string().nullable(),
    routing_code: z.string().nullable(),
    swift_bic: z.string().nullable(),
    bank_name: z.string().nullable(),
  })
  .meta({ id: 'BankDetails', deprecated: true });

const pendingCollectionRequest = z
  .object({
    id,
    scope: schemaEnum('CollectionScope'),
    expires_at: timestamp,
  })
  .meta({ id: 'PendingCollectionRequest' });

const facts = answered(shownFields, {
  postalAddress: addressView,
  bankDetails: maskedBankDetails,
  pendingRequests: z.array(pendingCollectionRequest),
});

/** A beneficiary as it is answered. */
const beneficiary = z
  .object(
    byWireName({
      id,
      ...facts,
      name: facts.name.meta({ description: 'Legal name.' }),
      displayName: facts.displayName.meta({ description: 'The nickname, else the legal name.' }),
      dateOfBirth: facts.dateOfBirth.meta({ description: 'YYYY-MM-DD.' }),
      bankDetails: facts.bankDetails.meta({ deprecated: true }),
      metadata: ownMetadata,
      erasedAt: facts.erasedAt.meta({
        description:
          'When its personal data was erased. Then only the legal name is left, and email is an address at erased.invalid.',
      }),
    }),
  )
  .meta({ id: 'Beneficiary' });

const details = {
  phone: phone.nullish(),
  nickname: optionalText(),
  first_name: optionalText(),
  last_name: optionalText(),
  country_of_residence: country.nullish(),
  date_of_birth: isoDate.nullish(),
  business_name: optionalText(),
  country_of_incorporation: country.nullish(),
  registration_number: optionalText(),
  tax_id: optionalText(),
  postal_address: postalAddressWire.nullish(),
  ...ownBody,
};

export const beneficiaryCreateBody = z
  .strictObject({
    beneficiary_type: beneficiaryType,
    email,
    ...details,
    bank_details: z.strictObject(bankDetailsShape).nullish().meta({
      deprecated: true,
      description: 'Register bank accounts instead. One of iban and account_number is required.',
    }),
    acknowledged: z.boolean().nullish().meta({
      description:
        'Whether the business attests that it verified the beneficiary, which is then compliant. Not together with identity_pending.',
    }),
    identity_pending: z.boolean().nullish().meta({
      description:
        'Whether missing identity fields are to be completed later. Not together with acknowledged.',
    }),
    idempotency_key: createKey,
  })
  .meta({ id: 'BeneficiaryCreate' });

export const beneficiaryUpdateBody = z
  .strictObject({
    beneficiary_type: beneficiaryType.nullish(),
    email: email.optional(),
    ...details,
  })
  .meta({
    id: 'BeneficiaryUpdate',
    description:
      'Fields to be changed. An absent field stays as it is; null clears it. The type cannot change.',
  });

export const beneficiaryParams = z.strictObject({ id: pathId('beneficiary') });

export const beneficiaryListQuery = z.strictObject({
  ...pageQuery,
  email: email.optional().meta({ description: 'With this address, ignoring case.' }),
  compliance_status: complianceStatus
    .optional()
    .meta({ description: 'With this compliance status.' }),
  beneficiary_type: beneficiaryType.optional().meta({ description: 'Of this type.' }),
  enrollment_status: enrollmentStatus
    .optional()
    .meta({ description: 'With this enrollment status.' }),
  external_ref: externalRef.optional().meta({ description: 'With this reference of yours.' }),
  updatedSince,
  include_archived: z
    .enum(['true', 'false'])
    .transform((given) => given === 'true')
    .optional()
    .meta({
      description: 'Whether archived ones are listed as well; only together with updatedSince.',
      override: documentedAs({ type: 'boolean' }),
    }),
});

export const enrollBody = z
  .strictObject({
    bank_account_id: z.string().nullish().meta({
      description: 'The account to enroll; needed when several accounts are payout_usable.',
    }),
  })
  .optional();

export const beneficiaryEnvelope = z.object({ beneficiary });
export const beneficiaryList = z.object({
  beneficiaries: z.array(beneficiary),
  next_cursor: nextCursor,
});
export const enrollEnvelope = z.object({ beneficiary, bank_account: bankAccount });
