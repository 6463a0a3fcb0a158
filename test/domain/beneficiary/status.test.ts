import { describe, expect, it } from 'vitest';
import {
  beneficiaryStatus,
  type BeneficiaryStatusInputs,
  type ComplianceStatus,
  type EnrollmentStatus,
} from '../../../src/domain/beneficiary/status.ts';

const compliance: ComplianceStatus[] = ['pending', 'compliant', 'suspended'];
const enrollments: (EnrollmentStatus | null)[] = [
  null,
  'pending',
  'verified',
  'rejected',
  'suspended',
  'closed',
];
const flags = [false, true];

const combinations: BeneficiaryStatusInputs[] = compliance.flatMap((complianceStatus) =>
  flags.flatMap((reacknowledgmentRequired) =>
    flags.flatMap((identityComplete) =>
      flags.flatMap((hasPayoutUsableBankAccount) =>
        enrollments.map((enrollmentStatus) => ({
          complianceStatus,
          reacknowledgmentRequired,
          identityComplete,
          hasPayoutUsableBankAccount,
          enrollmentStatus,
        })),
      ),
    ),
  ),
);

/** The rows of decisions 3, as predicates in order; exactly the first that holds is the chip. */
const rows: [string, (i: BeneficiaryStatusInputs) => boolean][] = [
  ['suspended', (i) => i.complianceStatus === 'suspended'],
  ['reacknowledgment_required', (i) => i.reacknowledgmentRequired],
  ['pending_details', (i) => i.complianceStatus !== 'compliant' && !i.identityComplete],
  ['pending_kyc', (i) => i.complianceStatus !== 'compliant'],
  ['action_required', (i) => !i.hasPayoutUsableBankAccount],
  [
    'action_required',
    (i) => ['rejected', 'suspended', 'closed'].some((status) => status === i.enrollmentStatus),
  ],
  ['ready', () => true],
];

describe('the beneficiary chip', () => {
  it('is the first matching row for each of the 144 combinations', () => {
    expect(combinations).toHaveLength(144);
    for (const inputs of combinations) {
      const expected = rows.find(([, holds]) => holds(inputs))?.[0];
      expect([inputs, beneficiaryStatus(inputs)]).toEqual([inputs, expected]);
    }
  });

  it('is ready only for those who can be paid now or after the first enrollment', () => {
    const ready = combinations.filter((inputs) => beneficiaryStatus(inputs) === 'ready');
    for (const inputs of ready) {
      expect(inputs.complianceStatus).toBe('compliant');
      expect(inputs.reacknowledgmentRequired).toBe(false);
      expect(inputs.hasPayoutUsableBankAccount).toBe(true);
      expect([null, 'pending', 'verified']).toContain(inputs.enrollmentStatus);
    }
    // Identity may have become incomplete when the list grew: payouts continue (specification 2.2).
    expect(ready.map((inputs) => inputs.identityComplete)).toContain(false);
    expect(ready).toHaveLength(6);
  });
});
