import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Choice } from '../../parts/choice.tsx';
import { Field } from '../../parts/field.tsx';
import { textFor, texts } from '../../texts/texts.ts';
import type { OperatorStuckPayoutsQuery } from '../../../../generated/console-types/graphql.ts';
import { Reasoned } from './reasoned.tsx';
import {
  operatorPayoutLookUpDocument,
  operatorPayoutResolveDocument,
} from '../../../../generated/console-types/pages/operator/standstills.ts';

const words = texts.operator.standstills;
export type StuckPayout =
  OperatorStuckPayoutsQuery['operatorStuckPayouts']['edges'][number]['node'];

type AskedPayout = Pick<StuckPayout, 'businessId' | 'environment' | 'payoutId'>;

interface OrderProps {
  /** Null while nothing is asked. */
  readonly payout: AskedPayout | null;
  onClose(): void;
  onDone(): void;
}

const placeOf = (payout: AskedPayout | null) => ({
  businessId: payout?.businessId ?? '',
  environment: payout?.environment ?? 'sandbox',
  payoutId: payout?.payoutId ?? '',
});

/** What became of an order, in words; the worker may need a moment. */
const toldOf = (outcome: string | null | undefined): string =>
  outcome ? (textFor(words.outcomes, outcome) ?? outcome) : words.ordered;

/** Asks the provider about a payout. */
export function LookUpDialog({ payout, onClose, onDone }: OrderProps) {
  const command = useAct(operatorPayoutLookUpDocument);
  return (
    <Reasoned
      title={words.lookUp}
      action={words.lookUp}
      open={payout !== null}
      command={command}
      variables={(reason) => ({ ...placeOf(payout), reason })}
      said={({ operatorPayoutLookUp }) => toldOf(operatorPayoutLookUp?.outcome)}
      onClose={onClose}
      onDone={onDone}
    >
      <p>{words.lookUpMeans}</p>
    </Reasoned>
  );
}

/** Records what became of the money where only a person knows. */
export function ResolveDialog({ payout, onClose, onDone }: OrderProps) {
  const command = useAct(operatorPayoutResolveDocument);
  const [outcome, setOutcome] = useState<keyof typeof words.resolutions>('not_paid');
  const [providerPayoutId, setProviderPayoutId] = useState('');
  const [evidence, setEvidence] = useState('');
  return (
    <Reasoned
      title={words.resolve}
      action={words.resolve}
      danger
      open={payout !== null}
      command={command}
      variables={(reason) => ({
        ...placeOf(payout),
        outcome,
        providerPayoutId: outcome === 'paid' ? providerPayoutId.trim() : null,
        evidence,
        reason,
      })}
      said={({ operatorPayoutResolve }) => toldOf(operatorPayoutResolve?.outcome)}
      onClose={() => {
        // What is known of one payout is no evidence for the next.
        setOutcome('not_paid');
        setProviderPayoutId('');
        setEvidence('');
        onClose();
      }}
      onDone={onDone}
    >
      <p>{words.resolveMeans}</p>
      <Choice
        label={words.outcome}
        options={words.resolutions}
        value={outcome}
        onChange={(chosen) => setOutcome(chosen ?? 'not_paid')}
      />
      {outcome === 'paid' && (
        <Line
          label={words.providerPayoutId}
          value={providerPayoutId}
          onChange={setProviderPayoutId}
        />
      )}
      <Line label={texts.operator.evidence} value={evidence} onChange={setEvidence} />
    </Reasoned>
  );
}

interface LineProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
}

/** A line of text in a dialog for a reason. */
export function Line({ label, value, onChange }: LineProps) {
  return (
    <Field label={label}>
      {(field) => (
        <input
          {...field}
          className="input"
          required
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
