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

/** The statuses and their conditions in order: the first that holds is the status. */
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

describe('the status of a beneficiary', () => {
  it('is the first that holds, for each of the 144 combinations', () => {
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
    // An identity becomes incomplete when the list of required fields grows; payouts go on.
    expect(ready.map((inputs) => inputs.identityComplete)).toContain(false);
    expect(ready).toHaveLength(6);
  });
});
