import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import type { Column } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';
import { operatorBankUnmatchedLinesDocument } from '../../../../generated/console-types/pages/operator/bank-desk.ts';
import { ExplainDialog, MatchDialog, type Line } from './bank-line-dialogs.tsx';
import { BankReferences } from './bank-references.tsx';
import { OfConnection, SubjectLink } from './place.tsx';

const words = texts.operatorBanks.lines;

interface AskedLine {
  readonly what: 'match' | 'explain';
  readonly line: Line;
}

/** The movements that match nothing, each with why, and what a person can do. */
export function UnmatchedLines() {
  const { after, ...others } = useSearch({ from: '/shell/operator/banks/desk' });
  const navigate = useNavigate({ from: '/operator/banks/desk' });
  const place = after === undefined ? {} : { after };
  const fresh = useFresh(operatorBankUnmatchedLinesDocument, forwards(place));
  const [asked, setAsked] = useState<AskedLine | null>(null);
  const dialog = { onClose: () => setAsked(null), onDone: fresh.refresh };
  return (
    <Card title={words.title} flush>
      <Listing
        caption={words.title}
        fresh={fresh}
        page={fresh.data?.operatorBankUnmatchedLines ?? null}
        place={place}
        onPlace={(to) => void navigate({ search: { ...others, ...to } })}
        versionOf={({ doubt, takenBy }) => `${doubt} ${takenBy ?? ''}`}
        empty={<Empty title={words.none} />}
        columns={columnsOf(setAsked)}
      />
      <MatchDialog line={asked?.what === 'match' ? asked.line : null} {...dialog} />
      <ExplainDialog line={asked?.what === 'explain' ? asked.line : null} {...dialog} />
    </Card>
  );
}

function columnsOf(onAsk: (asked: AskedLine) => void): readonly Column<Line>[] {
  return [
    {
      name: 'movement',
      title: words.movement,
      cell: (row) => (
        <div className="reading">
          <strong>{row.direction === 'debit' ? words.debit : words.credit}</strong>
          {row.bookedOn && (
            <div className="small">{words.booked({ day: shortDay(row.bookedOn) })}</div>
          )}
          <OfConnection of={row} />
        </div>
      ),
    },
    {
      name: 'amount',
      title: words.amount,
      align: 'end',
      cell: ({ amountMinor, currency }) =>
        amountMinor == null ? words.noAmount : <Amount minor={amountMinor} currency={currency} />,
    },
    {
      name: 'why',
      title: words.why,
      cell: (row) => <Why line={row} />,
    },
    { name: 'references', title: words.references, cell: (row) => <References line={row} /> },
    {
      name: 'actions',
      title: texts.operatorBanks.actions,
      cell: (row) => (
        <div className="row">
          {row.matchable && (
            <Button
              kind="primary"
              aria-label={words.matchOf({ line: row.id })}
              onClick={() => onAsk({ what: 'match', line: row })}
            >
              {words.match}
            </Button>
          )}
          <Button
            aria-label={words.explainOf({ line: row.id })}
            onClick={() => onAsk({ what: 'explain', line: row })}
          >
            {words.explain}
          </Button>
        </div>
      ),
    },
  ];
}

/** Doubts for which a contradiction of the bank waits beside the line. */
const contradicting: ReadonlySet<string> = new Set(['amount_differs', 'second_debit']);

function Why({ line }: { readonly line: Line }) {
  const { doubt, explanation, sentMinor, sentCurrency, takenBy } = line;
  return (
    <div className="reading">
      <p>{explanation}</p>
      {doubt === 'amount_differs' && sentMinor != null && sentCurrency && (
        <p className="small">
          {words.sent} <Amount minor={sentMinor} currency={sentCurrency} />
        </p>
      )}
      {contradicting.has(doubt) && (
        <p className="small">
          {words.examine}{' '}
          <Link to="/operator/standstills" search={{}}>
            {texts.operator.questions.contradictions}
          </Link>
        </p>
      )}
      {takenBy && <p className="small">{texts.operator.taken({ who: takenBy })}</p>}
    </div>
  );
}

function References({ line }: { readonly line: Line }) {
  const { bankReference, endToEndId, traceNumber, bankCode, returnCode, namedPayoutId } = line;
  return (
    <BankReferences
      named={[
        [words.bankReference, bankReference],
        [words.endToEndId, endToEndId],
        [words.traceNumber, traceNumber],
        [words.bankCode, bankCode],
        [words.returnCode, returnCode],
        [words.line, line.id],
      ]}
    >
      {namedPayoutId && (
        <div>
          <span className="muted">{words.payout}</span> <SubjectLink about={namedPayoutId} />
        </div>
      )}
    </BankReferences>
  );
}
