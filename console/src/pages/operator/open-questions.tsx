import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { useAct } from '../../app/use-act.ts';
import { Card } from '../../parts/card.tsx';
import { FaultNote } from '../../parts/note.tsx';
import { Table } from '../../parts/table.tsx';
import { Since } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorOpenQuestionsQuery } from '../../../../generated/console-types/graphql.ts';
import { ActOn } from './act-on.tsx';
import { Contradictions } from './contradictions.tsx';
import { SubjectLink } from './place.tsx';
import { ProposedChanges } from './proposed-changes.tsx';
import { Reasoned } from './reasoned.tsx';
import {
  operatorPayoutResolutionAnswerDocument,
  operatorOpenQuestionsDocument,
} from '../../../../generated/console-types/pages/operator/standstills.ts';

const words = texts.operator.questions;
type Resolution = OperatorOpenQuestionsQuery['operatorResolutions']['edges'][number]['node'];

/** Changes and resolutions that need a second person, and contradictions of providers that nobody has examined; nothing where there are none. */
export function OpenQuestions() {
  const { data, fault, refresh } = useFresh(operatorOpenQuestionsDocument, {});
  const resolutions = data?.operatorResolutions.edges.map(({ node }) => node) ?? [];
  const changes = data?.operatorProposedChanges.edges.map(({ node }) => node) ?? [];
  const contradictions = data?.operatorContradictions.edges.map(({ node }) => node) ?? [];
  return (
    <>
      <FaultNote fault={data === null ? fault : null} />
      <ProposedChanges rows={changes} onDone={refresh} />
      {resolutions.length > 0 && <Resolutions rows={resolutions} onDone={refresh} />}
      {contradictions.length > 0 && <Contradictions rows={contradictions} onDone={refresh} />}
    </>
  );
}

interface RowsProps<Row> {
  readonly rows: readonly Row[];
  onDone(): void;
}

/** Orders that wait for a second person, with the ways to answer. */
export function Resolutions({ rows, onDone }: RowsProps<Resolution>) {
  const command = useAct(operatorPayoutResolutionAnswerDocument);
  const [asked, setAsked] = useState<Resolution | null>(null);
  const [answer, setAnswer] = useState<'confirmed' | 'declined'>('confirmed');
  const ask = (row: Resolution, given: typeof answer) => {
    setAsked(row);
    setAnswer(given);
  };
  return (
    <Card title={words.resolutions} flush>
      <Table
        caption={words.resolutions}
        rows={rows}
        rowId={({ orderId }) => orderId}
        columns={[
          {
            name: 'payout',
            title: words.payout,
            cell: ({ payoutId }) => <SubjectLink about={payoutId} />,
          },
          {
            name: 'outcome',
            title: words.says,
            cell: ({ outcome, evidence, reason }) => (
              <div className="reading">
                <strong>{texts.operator.standstills.resolutions[outcome]}</strong>
                <p className="small">{evidence}</p>
                <p className="muted small">{reason}</p>
              </div>
            ),
          },
          {
            name: 'by',
            title: words.by,
            cell: ({ orderedBy, orderedAt }) => (
              <>
                <code>{orderedBy}</code> <Since at={orderedAt} />
              </>
            ),
          },
          {
            name: 'actions',
            title: words.actions,
            cell: (row) => (
              <div className="row">
                {row.orderedByYou ? (
                  <p className="small">{words.ofYours}</p>
                ) : (
                  <ActOn
                    act={words.confirm}
                    about={row.payoutId}
                    kind="primary"
                    onClick={() => ask(row, 'confirmed')}
                  />
                )}
                <ActOn
                  act={words.decline}
                  about={row.payoutId}
                  onClick={() => ask(row, 'declined')}
                />
              </div>
            ),
          },
        ]}
      />
      <Reasoned
        title={answer === 'confirmed' ? words.confirm : words.decline}
        action={answer === 'confirmed' ? words.confirm : words.decline}
        open={asked !== null}
        command={command}
        variables={(reason) => ({
          businessId: asked?.businessId ?? '',
          environment: asked?.environment ?? 'sandbox',
          orderId: asked?.orderId ?? '',
          answer,
          reason,
        })}
        onClose={() => setAsked(null)}
        onDone={onDone}
      >
        <p>{words.confirmMeans}</p>
      </Reasoned>
    </Card>
  );
}
