import type { ReactNode } from 'react';
import type { PayoutState as State } from '../../../generated/console-types/graphql.ts';
import { texts } from '../texts/texts.ts';
import { Icon, type IconName } from './icon.tsx';

export type Tone = 'good' | 'wait' | 'bad' | 'go' | 'calm';

const shapes: Readonly<Record<Tone, IconName>> = {
  good: 'approval',
  wait: 'clock',
  bad: 'fault',
  go: 'going',
  calm: 'ended',
};

/** A state by its word; shape and colour repeat what the word says. */
export function StateMark({
  tone,
  children,
}: {
  readonly tone: Tone;
  readonly children: ReactNode;
}) {
  return (
    <span className="state" data-tone={tone}>
      <Icon name={shapes[tone]} />
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
