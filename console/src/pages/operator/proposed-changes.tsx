import { useState } from 'react';
import { useAct } from '../../app/use-act.ts';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Table, type Column } from '../../parts/table.tsx';
import { Since, Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorOpenQuestionsQuery } from '../../../../generated/console-types/graphql.ts';
import { ActOn } from './act-on.tsx';
import { ChangeFacts } from './change-facts.tsx';
import { IssuedKeys, type IssuedKey } from './issued-keys.tsx';
import { SubjectLink } from './place.tsx';
import { Reasoned } from './reasoned.tsx';
import { operatorChangeAnswerDocument } from '../../../../generated/console-types/pages/operator/standstills.ts';

const words = texts.operator.changes;
type Change = OperatorOpenQuestionsQuery['operatorProposedChanges']['edges'][number]['node'];

type ChangeAnswer = 'confirmed' | 'declined';

interface AskedChange {
  readonly change: Change;
  readonly answer: ChangeAnswer;
}

interface Props {
  readonly rows: readonly Change[];
  onDone(): void;
}

/** Changes of where money or secrets go that wait for a second operator, and the keys that came of them; nothing where there are none. */
export function ProposedChanges({ rows, onDone }: Props) {
  const [asked, setAsked] = useState<AskedChange | null>(null);
  const [keys, setKeys] = useState<readonly IssuedKey[]>([]);
  return (
    <>
      <IssuedKeys
        keys={keys}
        onDismiss={(changeId) => setKeys((all) => all.filter((one) => one.changeId !== changeId))}
      />
      {rows.length > 0 && (
        <Card title={words.title} flush>
          <Table
            caption={words.title}
            rows={rows}
            rowId={({ changeId }) => changeId}
            columns={columnsOf((change, answer) => setAsked({ change, answer }))}
          />
        </Card>
      )}
      <AnswerDialog
        asked={asked}
        onKey={(key) => setKeys((all) => [...all, key])}
        onClose={() => setAsked(null)}
        onDone={onDone}
      />
    </>
  );
}

interface AnswerProps {
  /** Null while nothing is asked. */
  readonly asked: AskedChange | null;
  onKey(key: IssuedKey): void;
  onClose(): void;
  onDone(): void;
}

/** Repeats the change, asks why it is answered so, and answers it. */
function AnswerDialog({ asked, onKey, onClose, onDone }: AnswerProps) {
  const command = useAct(operatorChangeAnswerDocument);
  const { change, answer = 'confirmed' } = asked ?? {};
  return (
    <Reasoned
      title={
        change === undefined
          ? ''
          : words.asked[answer]({ what: words.objects[change.kind], of: change.companyName })
      }
      action={answer === 'confirmed' ? words.confirm : words.decline}
      open={change !== undefined}
      command={command}
      variables={(reason) => ({
        businessId: change?.businessId ?? '',
        changeId: change?.changeId ?? '',
        digest: change?.digest ?? '',
        answer,
        reason,
      })}
      said={(data) => {
        const key = data.operatorChangeAnswer?.issuedKey?.key;
        if (change !== undefined && key !== undefined) {
          const { changeId, companyName, shown } = change;
          onKey({ key, changeId, companyName, shown });
        }
        return texts.operator.done;
      }}
      onClose={onClose}
      onDone={onDone}
    >
      {change !== undefined && <Repeated change={change} />}
      <p>{answer === 'confirmed' ? words.confirmMeans : words.declineMeans}</p>
    </Reasoned>
  );
}

/** All that the list shows of a change. */
function Repeated({ change }: { readonly change: Change }) {
  const { companyName, subjectId, shown, reason, proposedByPerson, proposedAt, expiresAt } = change;
  return (
    <>
      <ChangeFacts shown={shown} />
      <Facts
        facts={[
          [words.of, companyName],
          [words.about, <code key="about">{subjectId}</code>],
          [words.why, reason],
          [
            words.by,
            <span key="by">
              {`${proposedByPerson}, `}
              <Time at={proposedAt} />
            </span>,
          ],
          [words.until, <Time key="until" at={expiresAt} />],
        ]}
      />
    </>
  );
}

/** What the list shows of each, with the ways to answer. */
function columnsOf(ask: (row: Change, answer: ChangeAnswer) => void): readonly Column<Change>[] {
  return [
    {
      name: 'what',
      title: words.what,
      cell: ({ kind, companyName, subjectId }) => (
        <div className="reading">
          <strong>{words.kinds[kind]}</strong>
          <div className="muted small">{companyName}</div>
          <SubjectLink about={subjectId} />
        </div>
      ),
    },
    {
      name: 'becomes',
      title: words.becomes,
      cell: ({ shown, reason }) => (
        <div className="reading stack">
          <ChangeFacts shown={shown} />
          <p className="muted small">{reason}</p>
        </div>
      ),
    },
    {
      name: 'by',
      title: words.by,
      cell: ({ proposedByPerson, proposedAt, expiresAt }) => (
        <>
          <div>{proposedByPerson}</div>
          <div className="muted small">
            <Since at={proposedAt} />
          </div>
          <div className="muted small">
            {words.until} <Time at={expiresAt} />
          </div>
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
