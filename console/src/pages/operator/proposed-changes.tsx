import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Card } from '../../parts/card.tsx';
import { Note } from '../../parts/note.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Since } from '../../parts/time.tsx';
import { texts } from '../../texts/en.ts';
import type { OperatorOpenQuestionsQuery } from '../../../../generated/console-types/graphql.ts';
import { ActOn } from './act-on.tsx';
import { SubjectLink } from './place.tsx';
import { Reasoned } from './reasoned.tsx';
import { answerChangeDocument } from './standstills.graphql.ts';

const words = texts.operator.changes;
type Change = OperatorOpenQuestionsQuery['operatorProposedChanges']['edges'][number]['node'];

type Answer = 'confirmed' | 'declined';

interface Props {
  readonly rows: readonly Change[];
  onDone(): void;
}

/** Changes of where money or secrets go that wait for a second operator; nothing where there are none. */
export function ProposedChanges({ rows, onDone }: Props) {
  const command = useAct(answerChangeDocument);
  const [asked, setAsked] = useState<Change | null>(null);
  const [answer, setAnswer] = useState<Answer>('confirmed');
  const [key, setKey] = useState<string | null>(null);
  const ask = (row: Change, given: Answer) => {
    setAsked(row);
    setAnswer(given);
  };
  if (rows.length === 0 && key === null) return null;
  return (
    <Card title={words.title} flush>
      {key !== null && (
        <Note tone="good">
          {words.key} <code>{key}</code>
        </Note>
      )}
      <Table
        caption={words.title}
        rows={rows}
        rowId={({ changeId }) => changeId}
        columns={columnsOf(ask)}
      />
      <Reasoned
        title={answer === 'confirmed' ? words.confirm : words.decline}
        action={answer === 'confirmed' ? words.confirm : words.decline}
        open={asked !== null}
        command={command}
        variables={(reason) => ({
          businessId: asked?.businessId ?? '',
          changeId: asked?.changeId ?? '',
          digest: asked?.digest ?? '',
          answer,
          reason,
        })}
        said={(data) => {
          setKey(data.operatorChangeAnswer?.issuedKey?.key ?? null);
          return texts.operator.done;
        }}
        onClose={() => setAsked(null)}
        onDone={onDone}
      >
        <p>{words.confirmMeans}</p>
      </Reasoned>
    </Card>
  );
}

/** What the list shows of each, with the ways to answer. */
function columnsOf(ask: (row: Change, answer: Answer) => void): readonly Column<Change>[] {
  return [
    {
      name: 'what',
      title: words.what,
      cell: ({ kind, companyName, subjectId }) => (
        <>
          <strong>{words.kinds[kind]}</strong>
          <div className="muted small">{companyName}</div>
          <SubjectLink about={subjectId} />
        </>
      ),
    },
    {
      name: 'becomes',
      title: words.becomes,
      cell: ({ shown, reason }) => (
        <div className="reading">
          <pre className="small">{JSON.stringify(shown, null, 2)}</pre>
          <p className="muted small">{reason}</p>
        </div>
      ),
    },
    {
      name: 'by',
      title: words.by,
      cell: ({ proposedBy, proposedAt }) => (
        <>
          <code>{proposedBy}</code> <Since at={proposedAt} />
        </>
      ),
    },
    {
      name: 'actions',
      title: words.actions,
      cell: (row) => (
        <div className="row">
          {row.proposedByYou ? (
            <p className="small">{words.ofYours}</p>
          ) : (
            <ActOn
              act={words.confirm}
              about={row.changeId}
              kind="primary"
              onClick={() => ask(row, 'confirmed')}
            />
          )}
          <ActOn act={words.decline} about={row.changeId} onClick={() => ask(row, 'declined')} />
        </div>
      ),
    },
  ];
}
