export type BeneficiaryStatus =
  | 'suspended'
  | 'reacknowledgment_required'
  | 'pending_details'
  | 'pending_kyc'
  | 'action_required'
  | 'ready';

export type ComplianceStatus = 'pending' | 'compliant' | 'suspended';

export type EnrollmentStatus = 'pending' | 'verified' | 'rejected' | 'suspended' | 'closed';

export interface BeneficiaryStatusInputs {
  readonly complianceStatus: ComplianceStatus;
  readonly reacknowledgmentRequired: boolean;
  readonly identityComplete: boolean;
  /** Whether any bank account is verified, validated and not rejected by the rail. */
  readonly hasPayoutUsableBankAccount: boolean;
  /** Null when it was never enrolled. That stops no payout: disbursement enrolls it first. */
  readonly enrollmentStatus: EnrollmentStatus | null;
}

/** The enrollments with which no payout can be made. */
const blockingEnrollments: ReadonlySet<EnrollmentStatus | null> = new Set<EnrollmentStatus>([
  'rejected',
  'suspended',
  'closed',
]);

/**
 * What a beneficiary needs next: the first condition that holds, in this order. It is derived with
 * each read, so nobody sets it and no column stores it.
 */
export function beneficiaryStatus(inputs: BeneficiaryStatusInputs): BeneficiaryStatus {
  if (inputs.complianceStatus === 'suspended') return 'suspended';
  if (inputs.reacknowledgmentRequired) return 'reacknowledgment_required';
  if (inputs.complianceStatus !== 'compliant') {
    return inputs.identityComplete ? 'pending_kyc' : 'pending_details';
  }
  const blocked =
    !inputs.hasPayoutUsableBankAccount || blockingEnrollments.has(inputs.enrollmentStatus);
  return blocked ? 'action_required' : 'ready';
}
