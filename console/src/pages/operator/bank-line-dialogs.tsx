import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Amount } from '../../parts/amount.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorBankUnmatchedLinesQuery } from '../../../../generated/console-types/graphql.ts';
import {
  bankLineExplainDocument,
  bankLineMatchDocument,
} from '../../../../generated/console-types/pages/operator/bank-desk.ts';
import { Reasoned } from './reasoned.tsx';
import { Line as TextLine } from './resolve.tsx';

const words = texts.operatorBanks.lines;

export type Line =
  OperatorBankUnmatchedLinesQuery['operatorBankUnmatchedLines']['edges'][number]['node'];

interface DialogProps {
  /** Null while nothing is asked. */
  readonly line: Line | null;
  onClose(): void;
  onDone(): void;
}

const placeOf = (line: Line | null) => ({
  businessId: line?.businessId ?? '',
  environment: line?.environment ?? 'sandbox',
  lineId: line?.id ?? '',
});

/** Matches a movement with the payout, or the batch, that a person names. */
export function MatchDialog({ line, onClose, onDone }: DialogProps) {
  const command = useAct(bankLineMatchDocument);
  const [subject, setSubject] = useState<string | null>(null);
  const named = subject ?? line?.namedPayoutId ?? '';
  return (
    <Reasoned
      title={words.match}
      action={words.match}
      open={line !== null}
      command={command}
      variables={(reason) => ({ ...placeOf(line), subjectId: named.trim(), reason })}
      said={({ operatorBankLineMatch: done }) =>
        done === null ? texts.operator.changes.proposed : words.matched
      }
      onClose={() => {
        setSubject(null);
        onClose();
      }}
      onDone={onDone}
    >
      <About line={line} />
      <p>{words.matchMeans}</p>
      <TextLine label={words.subject} value={named} onChange={setSubject} />
    </Reasoned>
  );
}

/** Notes what a movement is that belongs to no payout. */
export function ExplainDialog({ line, onClose, onDone }: DialogProps) {
  const command = useAct(bankLineExplainDocument);
  const [explanation, setExplanation] = useState('');
  return (
    <Reasoned
      title={words.explain}
      action={words.explain}
      open={line !== null}
      command={command}
      variables={(reason) => ({ ...placeOf(line), explanation, reason })}
      said={() => words.explained}
      onClose={() => {
        setExplanation('');
        onClose();
      }}
      onDone={onDone}
    >
      <About line={line} />
      <p>{words.explainMeans}</p>
      <TextLine label={words.explanation} value={explanation} onChange={setExplanation} />
    </Reasoned>
  );
}

/** The movement that a dialog is about. */
function About({ line }: Pick<DialogProps, 'line'>) {
  if (line?.amountMinor == null) return null;
  return (
    <p>
      {line.direction === 'debit' ? words.debit : words.credit}{' '}
      <Amount minor={line.amountMinor} currency={line.currency} />
    </p>
  );
}
