import { z } from 'zod';
import {
  country,
  email,
  isoDate,
  optionalText,
  phone,
  postalAddressWire,
} from '../../src/values/fields.ts';
import { bankAccount, bankDetailsShape } from './bank-accounts.ts';
import {
  addressView,
  beneficiaryType,
  environment,
  id,
  nextCursor,
  pageQuery,
  pathId,
  timestamp,
} from './common.ts';
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

/** A beneficiary as it is answered. */
const beneficiary = z
  .object({
    id,
    beneficiary_type: beneficiaryType,
    name: z.string().meta({ description: 'Legal name.' }),
    nickname: z.string().nullable(),
    display_name: z.string().meta({ description: 'The nickname, else the legal name.' }),
    email: z.string(),
    phone: z.string().nullable(),
    first_name: z.string().nullable(),
    last_name: z.string().nullable(),
    country_of_residence: z.string().nullable(),
    date_of_birth: z.string().nullable().meta({ description: 'YYYY-MM-DD.' }),
    business_name: z.string().nullable(),
    country_of_incorporation: z.string().nullable(),
    registration_number: z.string().nullable(),
    tax_id: z.string().nullable(),
    postal_address: addressView.nullable(),
    bank_details: maskedBankDetails.nullable().meta({ deprecated: true }),
    compliance_status: complianceStatus,
    identity_complete: z.boolean(),
    acknowledged_at: timestamp.nullable(),
    reacknowledgment_required: z.boolean(),
    collection_status: schemaEnum('CollectionStatus'),
    details_submitted_at: timestamp.nullable(),
    status: schemaEnum('BeneficiaryStatus'),
    enrollment_status: enrollmentStatus.nullable(),
    pending_requests: z.array(pendingCollectionRequest),
    archived_at: timestamp.nullable(),
    erased_at: timestamp.nullable().meta({
      description:
        'When its personal data was erased. Then only the legal name is left, and email is an address at erased.invalid.',
    }),
    environment,
    created_at: timestamp,
  })
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
