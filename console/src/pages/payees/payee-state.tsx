import { StateMark, type Tone } from '../../parts/state.tsx';
import { texts } from '../../texts/texts.ts';

type Status = keyof typeof texts.payees.statuses;

const tones: Readonly<Record<Status, Tone>> = {
  ready: 'good',
  pending_details: 'wait',
  pending_kyc: 'wait',
  reacknowledgment_required: 'wait',
  action_required: 'bad',
  suspended: 'bad',
};

/** Whether a payee can be paid, or what is missing. */
export function PayeeState({ status }: { readonly status: Status }) {
  return <StateMark tone={tones[status]}>{texts.payees.statuses[status]}</StateMark>;
}
