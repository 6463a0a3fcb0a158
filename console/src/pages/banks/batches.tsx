import { Link } from '@tanstack/react-router';
import { bankBatchesDocument } from '../../../../generated/console-types/pages/banks/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { pageOf, type ListPlace } from '../../app/place.ts';
import { Amount } from '../../parts/amount.tsx';
import { BatchMark } from '../../parts/banking/state.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';

const words = texts.banks.batches;

interface BatchesProps {
  /** Null for those of every connection. */
  readonly connectionId: string | null;
  readonly place: ListPlace;
  onPlace(place: ListPlace): void;
}

/** The files that were made for banks, newest first. */
export function Batches({ connectionId, place, onPlace }: BatchesProps) {
  const fresh = useFresh(bankBatchesDocument, { connectionId, ...pageOf(place) });
  return (
    <Card title={words.title} flush>
      <Listing
        caption={words.title}
        fresh={fresh}
        page={fresh.data?.bankBatches ?? null}
        place={place}
        onPlace={onPlace}
        versionOf={({ status, problem }) => `${status} ${problem ?? ''}`}
        empty={<Empty title={words.none} />}
        columns={[
          {
            name: 'file',
            title: words.file,
            cell: ({ id, fileName, closedAt, problem }) => (
              <div className="reading">
                <Link to="/banks/batches/$id" params={{ id }} search={{}}>
                  <code>{fileName}</code>
                </Link>
                <div className="muted small">
                  <Time at={closedAt} />
                </div>
                {problem && <p className="small">{problem}</p>}
              </div>
            ),
          },
          {
            name: 'count',
            title: words.payments,
            align: 'end',
            cell: ({ paymentCount }) => paymentCount,
          },
          {
            name: 'sum',
            title: words.sum,
            align: 'end',
            cell: ({ controlSumMinor, currency }) => (
              <Amount minor={controlSumMinor} currency={currency} aligned />
            ),
          },
          {
            name: 'execution',
            title: words.execution,
            cell: ({ executionDate }) => shortDay(executionDate),
          },
          {
            name: 'state',
            title: texts.banks.connection.state,
            cell: ({ status }) => <BatchMark status={status} />,
          },
        ]}
      />
    </Card>
  );
}
