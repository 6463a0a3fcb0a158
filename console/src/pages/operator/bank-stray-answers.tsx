import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { useAct } from '../../app/use-act.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { OperatorBankStrayAnswersQuery } from '../../../../generated/console-types/graphql.ts';
import {
  bankAnswerExplainDocument,
  operatorBankStrayAnswersDocument,
} from '../../../../generated/console-types/pages/operator/bank-desk.ts';
import { BankReferences } from './bank-references.tsx';
import { OfConnection } from './place.tsx';
import { Reasoned } from './reasoned.tsx';
import { Line as TextLine } from './resolve.tsx';

const words = texts.operatorBanks.answers;
const lineWords = texts.operatorBanks.lines;

type StrayAnswer =
  OperatorBankStrayAnswersQuery['operatorBankStrayAnswers']['edges'][number]['node'];

/** Status reports, returns and notifications of change that name nothing of their connection. */
export function StrayAnswers() {
  const { answers, ...others } = useSearch({ from: '/shell/operator/banks/desk' });
  const navigate = useNavigate({ from: '/operator/banks/desk' });
  const place = answers === undefined ? {} : { after: answers };
  const fresh = useFresh(operatorBankStrayAnswersDocument, forwards(place));
  const [asked, setAsked] = useState<StrayAnswer | null>(null);
  return (
    <Card title={words.title} flush>
      <Listing
        caption={words.title}
        fresh={fresh}
        page={fresh.data?.operatorBankStrayAnswers ?? null}
        place={place}
        onPlace={({ after }) =>
          void navigate({
            search: { ...others, ...(after === undefined ? {} : { answers: after }) },
          })
        }
        versionOf={({ takenBy }) => takenBy ?? ''}
        empty={<Empty title={words.none} />}
        columns={columnsOf(setAsked)}
      />
      <ExplainAnswer answer={asked} onClose={() => setAsked(null)} onDone={fresh.refresh} />
    </Card>
  );
}

interface ExplainProps {
  /** Null while nothing is asked. */
  readonly answer: StrayAnswer | null;
  onClose(): void;
  onDone(): void;
}

/** Notes what an answer is that names nothing of its connection. */
function ExplainAnswer({ answer, onClose, onDone }: ExplainProps) {
  const command = useAct(bankAnswerExplainDocument);
  const [explanation, setExplanation] = useState('');
  return (
    <Reasoned
      title={lineWords.explain}
      action={lineWords.explain}
      open={answer !== null}
      command={command}
      variables={(reason) => ({
        businessId: answer?.businessId ?? '',
        environment: answer?.environment ?? 'sandbox',
        answerId: answer?.id ?? '',
        explanation,
        reason,
      })}
      said={() => lineWords.explained}
      onClose={() => {
        setExplanation('');
        onClose();
      }}
      onDone={onDone}
    >
      <p>{answer?.explanation}</p>
      <p>{words.explainMeans}</p>
      <TextLine label={words.whatItIs} value={explanation} onChange={setExplanation} />
    </Reasoned>
  );
}

function columnsOf(onAsk: (answer: StrayAnswer) => void): readonly Column<StrayAnswer>[] {
  return [
    {
      name: 'answer',
      title: words.answer,
      cell: (row) => (
        <div className="reading">
          <strong>
            <code>{row.said || words.noStatus}</code>
          </strong>
          {row.amountMinor != null && row.currency && (
            <div>
              <Amount minor={row.amountMinor} currency={row.currency} />
            </div>
          )}
          <OfConnection of={row} />
        </div>
      ),
    },
    { name: 'read', title: words.read, cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      name: 'why',
      title: lineWords.why,
      cell: ({ explanation, fileName, line, takenBy }) => (
        <div className="reading">
          <p>{explanation}</p>
          <p className="muted small">{words.place({ file: fileName, line: String(line) })}</p>
          {takenBy && <p className="small">{texts.operator.taken({ who: takenBy })}</p>}
        </div>
      ),
    },
    { name: 'references', title: lineWords.references, cell: (row) => <References of={row} /> },
    {
      name: 'actions',
      title: texts.operatorBanks.actions,
      cell: (row) => (
        <Button aria-label={lineWords.explainOf({ line: row.id })} onClick={() => onAsk(row)}>
          {lineWords.explain}
        </Button>
      ),
    },
  ];
}

function References({ of: row }: { readonly of: StrayAnswer }) {
  return (
    <BankReferences
      named={[
        [words.message, row.originalMessageId],
        [words.batch, row.originalBatchId],
        [lineWords.endToEndId, row.endToEndId],
        [words.instructionId, row.instructionId],
        [lineWords.traceNumber, row.traceNumber],
        [words.answer, row.id],
      ]}
    />
  );
}
