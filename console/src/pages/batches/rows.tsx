import { useNavigate, useSearch } from '@tanstack/react-router';
import { useFresh } from '../../app/fresh.ts';
import { pageOf, type ListPlace } from '../../app/place.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Pager } from '../../parts/pager.tsx';
import { PayoutLink } from '../../parts/payout-link.tsx';
import { Pending } from '../../parts/pending.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import { faultOfCode } from '../../values/fault.ts';
import { payoutBatchRowsDocument } from '../../../../generated/console-types/pages/batches/batches.ts';
import { RowState } from './batch-state.tsx';

const words = texts.batches;

interface RowsProps {
  readonly id: string;
  /** How often they are read again. */
  readonly everyMs: number;
}

/** The rows of a batch in their order, all or those of one status. */
export function BatchRows({ id, everyMs }: RowsProps) {
  const { status, ...place } = useSearch({ from: '/shell/payouts/batches/$id' });
  const navigate = useNavigate({ from: '/payouts/batches/$id' });
  const chosen = status === undefined ? {} : { status };
  const variables = { id, ...pageOf(place), status: status ?? null };
  const fresh = useFresh(payoutBatchRowsDocument, variables, { everyMs });
  const { data } = fresh;
  const rows = data?.payoutBatchRows.edges.map(({ node }) => node) ?? null;
  const { hasNextPage, endCursor, hasPreviousPage, startCursor } =
    data?.payoutBatchRows.pageInfo ?? {};
  const turn = (to: ListPlace) => void navigate({ search: { ...to, ...chosen } });
  return (
    <Card title={words.rows} flush>
      <div className="row">
        <Choice
          label={words.which}
          options={words.statuses}
          any={words.all}
          value={status}
          onChange={(wanted) =>
            void navigate({ search: wanted === undefined ? {} : { status: wanted } })
          }
        />
      </div>
      {rows === null ? (
        <Pending of={fresh} lines={6} />
      ) : rows.length === 0 ? (
        <Empty title={words.noRows} />
      ) : (
        <Table
          caption={words.rows}
          rows={rows}
          rowId={({ row }) => String(row)}
          columns={[
            { name: 'row', title: words.row, cell: ({ row }) => row },
            {
              name: 'status',
              title: words.state,
              cell: ({ status: stands, payout }) => (
                <>
                  <RowState status={stands} /> {payout && <PayoutStateMark state={payout.state} />}
                </>
              ),
            },
            {
              name: 'payee',
              title: words.payee,
              cell: ({ beneficiaryId, payout }) =>
                payout?.beneficiaryName ?? <code>{beneficiaryId}</code>,
            },
            {
              name: 'amount',
              title: words.total,
              align: 'end',
              cell: ({ amountMinor, currency }) =>
                amountMinor === null ? (
                  '–'
                ) : (
                  <Amount minor={amountMinor} currency={currency} aligned />
                ),
            },
            { name: 'reference', title: words.reference, cell: ({ externalRef }) => externalRef },
            {
              name: 'why',
              title: words.outcome,
              cell: ({ payoutId, error }) =>
                payoutId === null ? error && faultText(error) : <PayoutLink id={payoutId} />,
            },
          ]}
        />
      )}
      <Pager
        of={words.rows}
        shown={rows?.length ?? 0}
        {...(hasPreviousPage && startCursor
          ? { onPrevious: () => turn({ before: startCursor }) }
          : {})}
        {...(hasNextPage && endCursor ? { onNext: () => turn({ after: endCursor }) } : {})}
      />
    </Card>
  );
}

function faultText({ code, message }: { readonly code: string; readonly message: string }): string {
  const { title, text } = faultOfCode(code, message);
  return [title, text].filter((part) => part !== '').join(' ');
}
