import { Link } from '@tanstack/react-router';
import type { BankBatchesQuery } from '../../../../generated/console-types/graphql.ts';
import { bankBatchesDocument } from '../../../../generated/console-types/pages/banks/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { pageOf, type ListPlace } from '../../app/place.ts';
import { batchColumns } from '../../parts/banking/list-columns.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { texts } from '../../texts/texts.ts';

type Batch = BankBatchesQuery['bankBatches']['edges'][number]['node'];

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
        columns={batchColumns<Batch>(({ id }, name) => (
          <Link to="/banks/batches/$id" params={{ id }} search={{}}>
            {name}
          </Link>
        ))}
      />
    </Card>
  );
}
