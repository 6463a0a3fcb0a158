import type { ReactNode } from 'react';
import type { PayoutState as State } from '../../../generated/console-types/graphql.ts';
import { texts } from '../texts/texts.ts';

export type Tone = 'good' | 'wait' | 'bad' | 'go' | 'calm';

/** A state by its word; the colour repeats what the word says. */
export function StateMark({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span className="state" data-tone={tone}>
      {children}
    </span>
  );
}

const tones: Readonly<Record<State, Tone>> = {
  pending_approval: 'wait',
  compliance_hold: 'wait',
  approved: 'go',
  disbursed: 'go',
  settled: 'good',
  failed: 'bad',
  returned: 'bad',
  rejected: 'calm',
  canceled: 'calm',
};

/** The state of a payout. */
export function PayoutStateMark({ state }: { readonly state: State }) {
  return <StateMark tone={tones[state]}>{texts.states[state]}</StateMark>;
}
