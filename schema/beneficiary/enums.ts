import {
  beneficiaryStatuses,
  complianceStatuses,
  enrollmentStatuses,
} from '../../src/domain/beneficiary/status.ts';
import { beneficiaryTypes } from '../../src/domain/beneficiary/identity.ts';
import { collectionScopes } from '../../src/domain/collection/request.ts';
import { builder } from '../builder.ts';

export const BeneficiaryTypeEnum = builder.enumType('BeneficiaryType', {
  description: 'person (KYC) or business (KYB).',
  values: beneficiaryTypes,
});

export const ComplianceStatusEnum = builder.enumType('ComplianceStatus', {
  description:
    'Whether payouts are permitted: only to a compliant beneficiary (specification 3.1).',
  values: complianceStatuses,
});

export const CollectionStatusEnum = builder.enumType('CollectionStatus', {
  description: 'How far the collection of the identity through a link is (specification 3.2).',
  values: ['not_invited', 'invited', 'details_submitted'] as const,
});

export const EnrollmentStatusEnum = builder.enumType('EnrollmentStatus', {
  description: 'Where the enrollment with the payout provider stands (specification 3.4).',
  values: enrollmentStatuses,
});

export const BeneficiaryStatusEnum = builder.enumType('BeneficiaryStatus', {
  description: 'What a beneficiary needs next; a projection that nobody sets (specification 3.3).',
  values: beneficiaryStatuses,
});

export const CollectionScopeEnum = builder.enumType('CollectionScope', {
  description: 'What a collection link collects (specification 2.5).',
  values: collectionScopes,
});
