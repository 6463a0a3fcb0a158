import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { BankBatchPageQuery } from '../../../../generated/console-types/graphql.ts';
import { bankBatchPageDocument } from '../../../../generated/console-types/pages/banks/banks.ts';
import { useFresh } from '../../app/fresh.ts';
import { Amount } from '../../parts/amount.tsx';
import { BatchMark } from '../../parts/banking/state.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { CopyId } from '../../parts/copy-id.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Note } from '../../parts/note.tsx';
import { Page } from '../../parts/page.tsx';
import { Pager } from '../../parts/pager.tsx';
import { Pending } from '../../parts/pending.tsx';
import { PrintButton } from '../../parts/print.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';

const words = texts.banks.batch;
const common = texts.banks.batches;
/** As many as an answer has of a batch. */
const pageSize = 100;

type Batch = NonNullable<BankBatchPageQuery['bankBatch']>;

/** One file for a bank: what is known of it, and what became of each of its payments. */
export function BankBatchPage() {
  const { id } = useParams({ from: '/shell/banks/batches/$id' });
  const { behind } = useSearch({ from: '/shell/banks/batches/$id' });
  const navigate = useNavigate({ from: '/banks/batches/$id' });
  const after = Number(behind ?? 0) || 0;
  const fresh = useFresh(bankBatchPageDocument, { id, after });
  const batch = fresh.data?.bankBatch ?? null;
  return (
    <Page
      title={words.title}
      lead={<code>{batch?.fileName ?? id}</code>}
      actions={
        <>
          <PrintButton />
          <Link className="button" to="/banks/files" search={{}}>
            {texts.banks.files.title}
          </Link>
        </>
      }
    >
      {fresh.data === null ? (
        <Pending of={fresh} lines={10} />
      ) : batch === null ? (
        <Empty title={words.none} />
      ) : (
        <div className="stack">
          {batch.problem && <Note tone="bad">{batch.problem}</Note>}
          {batch.needsOperator && <Note tone="wait">{words.needsOperator}</Note>}
          <File batch={batch} />
          <Payments
            batch={batch}
            after={after}
            onPlace={(place) =>
              void navigate({ search: place === 0 ? {} : { behind: String(place) } })
            }
          />
        </div>
      )}
    </Page>
  );
}

function File({ batch }: { readonly batch: Batch }) {
  const { connectionId } = batch;
  return (
    <Card title={common.file} aside={<BatchMark status={batch.status} />}>
      <Facts
        facts={[
          [
            texts.banks.connection.title,
            <Link
              key="connection"
              to="/banks/connections/$id"
              params={{ id: connectionId }}
              search={{}}
            >
              {texts.banks.schemes[batch.scheme]}
            </Link>,
          ],
          [
            common.sum,
            <Amount key="sum" minor={batch.controlSumMinor} currency={batch.currency} />,
          ],
          [common.payments, batch.paymentCount],
          [common.execution, shortDay(batch.executionDate)],
          [words.closed[batch.closedBy], <Time key="closed" at={batch.closedAt} />],
          [words.sent, batch.sentAt && <Time key="sent" at={batch.sentAt} />],
          [words.message, <CopyId key="message" value={batch.messageId} name={words.message} />],
          ['SHA-256', <CopyId key="sha256" value={batch.sha256} name="SHA-256" />],
        ]}
      />
    </Card>
  );
}

interface PaymentsProps {
  readonly batch: Batch;
  readonly after: number;
  onPlace(after: number): void;
}

function Payments({ batch, after, onPlace }: PaymentsProps) {
  const last = batch.payments.at(-1)?.position ?? 0;
  const next = last > 0 && last < batch.paymentCount ? { onNext: () => onPlace(last) } : {};
  const previous = after > 0 ? { onPrevious: () => onPlace(Math.max(0, after - pageSize)) } : {};
  return (
    <Card title={words.payments} flush>
      <Table
        caption={words.payments}
        rows={batch.payments}
        rowId={({ payoutId }) => payoutId}
        columns={[
          { name: 'place', title: words.place, align: 'end', cell: ({ position }) => position },
          {
            name: 'payee',
            title: words.payee,
            cell: ({ payout: { id, beneficiaryName }, endToEndId }) => (
              <div className="reading">
                <Link to="/payouts/$id" params={{ id }}>
                  {beneficiaryName}
                </Link>
                <div className="muted small">
                  <code>{endToEndId}</code>
                </div>
              </div>
            ),
          },
          {
            name: 'amount',
            title: texts.banks.month.amount,
            align: 'end',
            cell: ({ payout: { amountMinor, currency } }) => (
              <Amount minor={amountMinor} currency={currency} aligned />
            ),
          },
          {
            name: 'state',
            title: texts.banks.connection.state,
            cell: ({ payout: { state } }) => <PayoutStateMark state={state} />,
          },
        ]}
      />
      <Pager
        of={words.payments}
        shown={batch.payments.length}
        total={batch.paymentCount}
        {...previous}
        {...next}
      />
    </Card>
  );
}
