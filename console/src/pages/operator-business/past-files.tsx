import { Link } from '@tanstack/react-router';
import {
  operatorPastBatchesDocument,
  operatorPastFilesDocument,
} from '../../../../generated/console-types/pages/operator-business/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { forwards } from '../../app/place.ts';
import { Amount } from '../../parts/amount.tsx';
import { BatchMark, FileMark } from '../../parts/banking/state.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';

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
        columns={[
          {
            name: 'file',
            title: words.batches.file,
            cell: ({ id, fileName, closedAt }) => (
              <div className="reading">
                <Link to="/operator/banks/batches/$id" params={{ id }} search={{}}>
                  <code>{fileName}</code>
                </Link>
                <div className="muted small">
                  <Time at={closedAt} />
                </div>
              </div>
            ),
          },
          {
            name: 'count',
            title: words.batches.payments,
            align: 'end',
            cell: ({ paymentCount }) => paymentCount,
          },
          {
            name: 'sum',
            title: words.batches.sum,
            align: 'end',
            cell: ({ controlSumMinor, currency }) => (
              <Amount minor={controlSumMinor} currency={currency} aligned />
            ),
          },
          {
            name: 'execution',
            title: words.batches.execution,
            cell: ({ executionDate }) => shortDay(executionDate),
          },
          {
            name: 'state',
            title: words.connection.state,
            cell: ({ status }) => <BatchMark status={status} />,
          },
        ]}
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
        columns={[
          {
            name: 'name',
            title: words.files.name,
            cell: ({ name, format, takenBy }) => (
              <div className="reading">
                <code>{name}</code>
                {format && <div className="muted small">{format}</div>}
                {takenBy && (
                  <div className="muted small">
                    {texts.operatorBusiness.bring.by({ who: takenBy })}
                  </div>
                )}
              </div>
            ),
          },
          {
            name: 'received',
            title: words.files.received,
            cell: ({ receivedAt }) => <Time at={receivedAt} />,
          },
          {
            name: 'state',
            title: words.connection.state,
            cell: ({ status, problem, problemPlace }) => (
              <>
                <FileMark status={status} />
                {problem && (
                  <p className="small">
                    <code>{problem}</code>
                  </p>
                )}
                {problemPlace && <p className="muted small">{problemPlace}</p>}
              </>
            ),
          },
        ]}
      />
    </Card>
  );
}
