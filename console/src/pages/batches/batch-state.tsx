import { StateMark, type Tone } from '../../parts/state.tsx';
import { texts } from '../../texts/texts.ts';
import type {
  PayoutBatchRowStatus,
  PayoutBatchState,
} from '../../../../generated/console-types/graphql.ts';

const words = texts.batches;

const tones: Readonly<Record<PayoutBatchState, Tone>> = {
  draft: 'wait',
  submitted: 'go',
  completed: 'good',
  canceled: 'calm',
};

/** What a batch is, by its word. */
export function BatchState({ state }: { readonly state: PayoutBatchState }) {
  return <StateMark tone={tones[state]}>{words.states[state]}</StateMark>;
}

const rowTones: Readonly<Record<PayoutBatchRowStatus, Tone>> = {
  unchecked: 'wait',
  ready: 'go',
  wrong: 'bad',
  failed: 'bad',
  made: 'good',
  left_out: 'calm',
};

/** What became of a row, by its word. */
export function RowState({ status }: { readonly status: PayoutBatchRowStatus }) {
  return <StateMark tone={rowTones[status]}>{words.statuses[status]}</StateMark>;
}
