import type { PayoutState } from '../payout/machine.ts';

/** How often the amount of a payout is reserved, and on the accounts, because of the state that it is in. */
export interface PayoutEffect {
  readonly held: 0 | 1;
  readonly in_transit: 0 | 1;
  readonly paid: 0 | 1;
}

const nothing: PayoutEffect = { held: 0, in_transit: 0, paid: 0 };

/**
 * What the entries of a payout add up to in each state, whichever way it came there: a payout that failed or
 * came back leaves nothing behind. What is in transit or paid is missing on the account that it was taken from: `funds`
 * in production and `external` in a sandbox. Fees are not part of it.
 */
export const effectOfState: Readonly<Record<PayoutState, PayoutEffect>> = {
  pending_approval: nothing,
  compliance_hold: nothing,
  rejected: nothing,
  canceled: nothing,
  approved: { ...nothing, held: 1 },
  disbursed: { ...nothing, in_transit: 1 },
  settled: { ...nothing, paid: 1 },
  failed: nothing,
  returned: nothing,
};
