import { builder } from '../builder.ts';

export const BeneficiaryTypeEnum = builder.enumType('BeneficiaryType', {
  description: 'person (KYC) or business (KYB).',
  values: ['person', 'business'] as const,
});

export const ComplianceStatusEnum = builder.enumType('ComplianceStatus', {
  description:
    'Whether payouts are permitted: only to a compliant beneficiary (specification 3.1).',
  values: ['pending', 'compliant', 'suspended'] as const,
});

export const CollectionStatusEnum = builder.enumType('CollectionStatus', {
  description: 'How far the collection of the identity through a link is (specification 3.2).',
  values: ['not_invited', 'invited', 'details_submitted'] as const,
});

export const EnrollmentStatusEnum = builder.enumType('EnrollmentStatus', {
  description: 'Where the enrollment with the payout provider stands (specification 3.4).',
  values: ['pending', 'verified', 'rejected', 'suspended', 'closed'] as const,
});

export const BeneficiaryStatusEnum = builder.enumType('BeneficiaryStatus', {
  description: 'What a beneficiary needs next; a projection that nobody sets (specification 3.3).',
  values: [
    'suspended',
    'reacknowledgment_required',
    'pending_details',
    'pending_kyc',
    'action_required',
    'ready',
  ] as const,
});

export const CollectionScopeEnum = builder.enumType('CollectionScope', {
  description: 'What a collection link collects (specification 2.5).',
  values: ['full_onboarding', 'bank_details', 'tax_documents'] as const,
});
