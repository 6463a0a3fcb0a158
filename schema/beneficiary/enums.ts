import type {
  ComplianceStatus,
  EnrollmentStatus,
  BeneficiaryStatus,
} from '../../src/domain/beneficiary/status.ts';
import type { BeneficiaryType } from '../../src/domain/beneficiary/identity.ts';
import type { CollectionScope } from '../../src/domain/collection/request.ts';
import { describedEnum } from '../common/described-enum.ts';

export const BeneficiaryTypeEnum = describedEnum<BeneficiaryType>(
  'BeneficiaryType',
  'person (KYC) or business (KYB).',
  {
    person: 'A natural person (KYC).',
    business: 'A company or other organisation (KYB).',
  },
);

export const ComplianceStatusEnum = describedEnum<ComplianceStatus>(
  'ComplianceStatus',
  'Whether the beneficiary may be paid: only a compliant one may.',
  {
    pending: 'The business has not attested yet that it verified the beneficiary.',
    compliant: 'The beneficiary may be paid.',
    suspended: 'An operator or a provider stopped all payouts.',
  },
);

export const CollectionStatusEnum = describedEnum(
  'CollectionStatus',
  'How far the collection of the identity through a link is.',
  {
    not_invited: 'No link asks for the identity.',
    invited: 'A live link asks for the identity.',
    details_submitted: 'The beneficiary submitted the form.',
  },
);

export const EnrollmentStatusEnum = describedEnum<EnrollmentStatus>(
  'EnrollmentStatus',
  'State of the enrollment with the payout provider.',
  {
    pending: 'The provider has not answered yet.',
    verified: 'The provider accepted the bank account.',
    rejected: 'The provider refused the bank account; enroll another one.',
    suspended: 'The provider suspended the beneficiary.',
    closed: 'The provider closed the enrollment.',
  },
);

describedEnum<BeneficiaryStatus>(
  'BeneficiaryStatus',
  'What a beneficiary needs next: the first of these that holds. It follows from other fields and cannot be set.',
  {
    suspended: 'Suspended by an operator or a provider.',
    reacknowledgment_required: 'Identity details changed; acknowledge again.',
    pending_details: 'Identity fields are missing.',
    pending_kyc: 'The identity is complete; acknowledge it.',
    action_required: 'No bank account can be paid, or the enrollment does not permit it.',
    ready: 'Payouts can be created.',
  },
);

export const CollectionScopeEnum = describedEnum<CollectionScope>(
  'CollectionScope',
  'What a collection link asks for.',
  {
    full_onboarding: 'Identity and bank account.',
    bank_details: 'Bank account.',
    tax_documents: 'Tax number and a tax document.',
  },
);
