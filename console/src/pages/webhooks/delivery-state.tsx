import { StateMark, type Tone } from '../../parts/state.tsx';
import { texts } from '../../texts/texts.ts';

type Status = keyof typeof texts.webhooks.states;

const tones: Readonly<Record<Status, Tone>> = {
  pending: 'wait',
  delivered: 'good',
  dead: 'bad',
  canceled: 'calm',
};

/** The state of a delivery. */
export function DeliveryState({ status }: { readonly status: Status }) {
  return <StateMark tone={tones[status]}>{texts.webhooks.states[status]}</StateMark>;
}
