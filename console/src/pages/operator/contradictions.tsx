import { Link } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Since, Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorOpenQuestionsQuery } from '../../../../generated/console-types/graphql.ts';
import { ActOn } from './act-on.tsx';
import { Reasoned } from './reasoned.tsx';
import { Line } from './resolve.tsx';
import { operatorContradictionExamineDocument } from '../../../../generated/console-types/pages/operator/standstills.ts';

const words = texts.operator.questions;
type Contradiction = OperatorOpenQuestionsQuery['operatorContradictions']['edges'][number]['node'];

interface Props {
  readonly rows: readonly Contradiction[];
  onDone(): void;
}

/** What providers said that nobody has examined, with the way to note a finding. */
export function Contradictions({ rows, onDone }: Props) {
  const command = useAct(operatorContradictionExamineDocument);
  const [asked, setAsked] = useState<Contradiction | null>(null);
  const [finding, setFinding] = useState<keyof typeof words.findings>('as_recorded');
  const [evidence, setEvidence] = useState('');
  return (
    <Card title={words.contradictions} flush>
      <Table
        caption={words.contradictions}
        rows={rows}
        rowId={({ contradictionId }) => contradictionId}
        columns={columnsOf(setAsked)}
      />
      <Reasoned
        title={words.examine}
        action={words.examine}
        open={asked !== null}
        command={command}
        variables={(reason) => ({
          businessId: asked?.businessId ?? '',
          environment: asked?.environment ?? 'sandbox',
          contradictionId: asked?.contradictionId ?? '',
          finding,
          evidence,
          reason,
        })}
        onClose={() => {
          setFinding('as_recorded');
          setEvidence('');
          setAsked(null);
        }}
        onDone={onDone}
      >
        {asked !== null && (
          <p>
            <strong>{`${asked.provider}: ${words.kinds[asked.kind]}`}</strong> <Said row={asked} />
          </p>
        )}
        <p>{words.examineMeans}</p>
        <Choice
          label={words.finding}
          options={words.findings}
          value={finding}
          onChange={(chosen) => setFinding(chosen ?? 'as_recorded')}
        />
        <Line label={texts.operator.evidence} value={evidence} onChange={setEvidence} />
      </Reasoned>
    </Card>
  );
}

const columnsOf = (onAsk: (row: Contradiction) => void): readonly Column<Contradiction>[] => [
  { name: 'payout', title: words.payout, cell: (row) => <About row={row} /> },
  {
    name: 'kind',
    title: words.kind,
    cell: ({ kind, provider }) => `${provider}: ${words.kinds[kind]}`,
  },
  { name: 'said', title: words.said, cell: (row) => <Said row={row} /> },
  { name: 'since', title: words.noticed, cell: ({ noticedAt }) => <Since at={noticedAt} /> },
  {
    name: 'actions',
    title: words.actions,
    cell: (row) => (
      <ActOn
        act={words.examine}
        about={`${row.payoutId ?? row.subjectId}, ${words.kinds[row.kind]}`}
        onClick={() => onAsk(row)}
      />
    ),
  },
];

/** What it is about: a payout by its amount, or an enrollment; its id is there to be copied. */
function About({ row }: { readonly row: Contradiction }) {
  const { payoutId, subjectId, amountMinor, currency, companyName, environment } = row;
  const id = payoutId ?? subjectId;
  // Amounts are alike: who hears the link is told its id too.
  const unseen = <span className="hidden">{`, ${id}`}</span>;
  return (
    <>
      {payoutId !== null && amountMinor !== null && currency !== null ? (
        <Link to="/operator/payouts/$id" params={{ id: payoutId }}>
          <Amount minor={amountMinor} currency={currency} />
          {unseen}
        </Link>
      ) : (
        <Link to="/operator/log" search={{ subject: id }}>
          {words.enrollment}
          {unseen}
        </Link>
      )}{' '}
      <CopyId value={id} name={words.id} bare />
      <div className="muted small">
        {texts.operator.at({ business: companyName, environment: texts.environment[environment] })}
      </div>
    </>
  );
}

/** What was said, and what was expected. */
function Said({ row: { kind, said, expected, currency } }: { readonly row: Contradiction }) {
  const shown = (text: string): ReactNode =>
    kind === 'amount' && currency !== null && /^\d+$/.test(text) ? (
      <Amount minor={text} currency={currency} />
    ) : (
      <Words text={text} />
    );
  return (
    <span className="reading">
      {shown(said)}
      {words.andNot}
      {shown(expected)}
    </span>
  );
}

const timePattern = /(\d{4}-\d{2}-\d{2}T[\d:.]+Z)/;

/** Codes, ids and times as a provider's answer has them; the times are shown as everywhere. */
function Words({ text }: { readonly text: string }) {
  return text
    .split(timePattern)
    .map((part) => (timePattern.test(part) ? <Time key={part} at={part} /> : part));
}
