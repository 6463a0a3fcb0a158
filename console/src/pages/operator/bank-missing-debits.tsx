import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import type { Column } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';
import type { OperatorBankMissingDebitsQuery } from '../../../../generated/console-types/graphql.ts';
import { operatorBankMissingDebitsDocument } from '../../../../generated/console-types/pages/operator/bank-desk.ts';
import { SubjectLink, OfConnection } from './place.tsx';
import { ResolveDialog } from './resolve.tsx';

const words = texts.operatorBanks.debits;

type MissingDebit =
  OperatorBankMissingDebitsQuery['operatorBankMissingDebits']['edges'][number]['node'];

/** The payouts that no statement shows in time. */
export function MissingDebits() {
  const { debits, ...others } = useSearch({ from: '/shell/operator/banks/desk' });
  const navigate = useNavigate({ from: '/operator/banks/desk' });
  const place = debits === undefined ? {} : { after: debits };
  const fresh = useFresh(operatorBankMissingDebitsDocument, forwards(place));
  const [asked, setAsked] = useState<MissingDebit | null>(null);
  return (
    <Card title={words.title} flush>
      <Listing
        caption={words.title}
        fresh={fresh}
        page={fresh.data?.operatorBankMissingDebits ?? null}
        place={place}
        onPlace={({ after }) =>
          void navigate({
            search: { ...others, ...(after === undefined ? {} : { debits: after }) },
          })
        }
        versionOf={({ resolvable, takenBy }) => `${resolvable} ${takenBy ?? ''}`}
        empty={<Empty title={words.none} />}
        columns={columnsOf(setAsked)}
      />
      <ResolveDialog payout={asked} onClose={() => setAsked(null)} onDone={fresh.refresh} />
    </Card>
  );
}

function columnsOf(onAsk: (row: MissingDebit) => void): readonly Column<MissingDebit>[] {
  return [
    {
      name: 'payout',
      title: words.payout,
      cell: (row) => (
        <div className="reading">
          <SubjectLink about={row.payoutId} />
          <OfConnection of={row} />
        </div>
      ),
    },
    {
      name: 'amount',
      title: words.amount,
      align: 'end',
      cell: ({ amountMinor, currency }) => <Amount minor={amountMinor} currency={currency} />,
    },
    {
      name: 'execution',
      title: words.execution,
      cell: ({ executionDate, batchId }) => (
        <>
          {shortDay(executionDate)}
          <div className="small">
            <Link to="/operator/banks/batches/$id" params={{ id: batchId }} search={{}}>
              {words.batch}
            </Link>
          </div>
        </>
      ),
    },
    {
      name: 'references',
      title: words.references,
      cell: ({ endToEndId, traceNumber }) => (
        <div className="reading">
          <div>
            <span className="muted small">{words.endToEndId}</span>{' '}
            <CopyId value={endToEndId} name={words.endToEndId} />
          </div>
          {traceNumber && (
            <div>
              <span className="muted small">{words.traceNumber}</span>{' '}
              <CopyId value={traceNumber} name={words.traceNumber} />
            </div>
          )}
        </div>
      ),
    },
    {
      name: 'next',
      title: texts.operatorBanks.batches.step,
      cell: (row) => (
        <div className="reading">
          <p>{row.resolvable ? words.open : words.ask}</p>
          {row.takenBy && <p className="small">{texts.operator.taken({ who: row.takenBy })}</p>}
          {row.resolvable && (
            <Button onClick={() => onAsk(row)}>{texts.operator.standstills.resolve}</Button>
          )}
        </div>
      ),
    },
  ];
}
