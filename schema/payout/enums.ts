import type { PayoutState } from '../../src/domain/payout/machine.ts';
import type { PayoutFailureCode } from '../../src/domain/payout/list/filter.ts';
import { purposes, type PurposeOfPayment } from '../../src/reference/purposes.ts';
import { describedEnum } from '../common/described-enum.ts';

const states: Readonly<Record<PayoutState, string>> = {
  pending_approval: 'Waits for a decision.',
  approved: 'Waits for its submission to the provider, or is with the provider.',
  rejected: 'A decision rejected it; final.',
  disbursed: 'The provider confirmed that the money left.',
  failed: 'The provider did not pay it; it can be replaced once.',
  returned: 'The money came back; it can be replaced once.',
  canceled: 'Canceled before the submission; final.',
  settled: 'The money arrived; it can still be returned.',
  compliance_hold: 'Held for compliance until it is released.',
};

export const PayoutStateEnum = describedEnum<PayoutState>(
  'PayoutState',
  'State of a payout. docs/state-machine.md lists what leads from one to the next.',
  states,
);

/** What a transition leads from. */
export type StateBefore = PayoutState | 'new';

export const PayoutStateBeforeEnum = describedEnum<StateBefore>(
  'PayoutStateBefore',
  'What a payout was before a transition: a state, or new for its creation.',
  { new: 'It did not exist yet.', ...states },
);

export const FailureCodeEnum = describedEnum<PayoutFailureCode>(
  'PayoutFailureCode',
  'Why a payout failed or came back.',
  {
    invalid_account: 'There is no such account.',
    account_closed: 'The account is closed or blocked.',
    name_mismatch: 'The holder is somebody else.',
    insufficient_provider_funds: 'The provider or the bank had too little money of the business.',
    compliance_rejected: 'The compliance of the provider or of the bank refused it.',
    provider_rejected: 'The provider or the bank refused it for another reason.',
    other: 'No reason that has a code was given.',
  },
);

export const PurposeOfPaymentEnum = describedEnum<PurposeOfPayment>(
  'PurposeOfPayment',
  'Why money is paid; banks and rails ask for one with each payout.',
  purposes,
);
