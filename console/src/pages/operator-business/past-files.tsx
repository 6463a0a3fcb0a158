import { Link } from '@tanstack/react-router';
import type {
  OperatorPastBatchesQuery,
  OperatorPastFilesQuery,
} from '../../../../generated/console-types/graphql.ts';
import {
  operatorPastBatchesDocument,
  operatorPastFilesDocument,
} from '../../../../generated/console-types/pages/operator-business/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { batchColumns, fileColumns } from '../../parts/banking/list-columns.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { texts } from '../../texts/texts.ts';

type PastBatch = OperatorPastBatchesQuery['operatorBankPastBatches']['edges'][number]['node'];
type PastFile = OperatorPastFilesQuery['operatorBankPastFiles']['edges'][number]['node'];

const words = texts.banks;

interface PastProps {
  readonly businessId: string;
  readonly environment: 'sandbox' | 'production';
  readonly connectionId: string;
  readonly after: string | undefined;
  onAfter(after: string | undefined): void;
}

const variablesOf = ({ businessId: id, environment, connectionId, after }: PastProps) => ({
  id,
  environment,
  connectionId,
  ...forwards(after === undefined ? {} : { after }),
});

const placeOf = ({ after }: PastProps) => (after === undefined ? {} : { after });

/** Every file that was made for the connection, newest first. */
export function PastBatches(props: PastProps) {
  const fresh = useFresh(operatorPastBatchesDocument, variablesOf(props));
  return (
    <Card title={words.batches.title} flush>
      <Listing
        caption={words.batches.title}
        fresh={fresh}
        page={fresh.data?.operatorBankPastBatches ?? null}
        place={placeOf(props)}
        onPlace={(to) => props.onAfter(to.after)}
        versionOf={({ status }) => status}
        empty={<Empty title={words.batches.none} />}
        columns={batchColumns<PastBatch>(({ id }, name) => (
          <Link to="/operator/banks/batches/$id" params={{ id }} search={{}}>
            {name}
          </Link>
        ))}
      />
    </Card>
  );
}

/** Every file that came from the bank, or was brought for it, newest first. */
export function PastFiles(props: PastProps) {
  const fresh = useFresh(operatorPastFilesDocument, variablesOf(props));
  return (
    <Card title={words.files.ofBanks} flush>
      <Listing
        caption={words.files.ofBanks}
        fresh={fresh}
        page={fresh.data?.operatorBankPastFiles ?? null}
        place={placeOf(props)}
        onPlace={(to) => props.onAfter(to.after)}
        versionOf={({ status, appliedAt }) => `${status} ${appliedAt ?? ''}`}
        empty={<Empty title={words.files.none} />}
        columns={fileColumns<PastFile>()}
      />
    </Card>
  );
}
