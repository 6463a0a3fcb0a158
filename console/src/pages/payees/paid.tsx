import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { PayoutLink } from '../../parts/payout-link.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { Payee } from './payee.ts';

const words = texts.payees;

interface PartProps {
  readonly payee: Payee;
}

/** What has arrived at the payee in each year, by currency. */
export function PaidByYear({ payee }: PartProps) {
  const { years, whole } = payee.paidByYear;
  if (years.length === 0) return null;
  return (
    <Card title={words.paid} flush>
      <Table
        caption={words.paid}
        rows={years}
        rowId={({ year, currency }) => `${year} ${currency}`}
        columns={[
          { name: 'year', title: words.year, cell: ({ year }) => String(year) },
          {
            name: 'amount',
            title: words.amount,
            align: 'end',
            cell: ({ amountMinor, currency }) => (
              <Amount minor={amountMinor} currency={currency} aligned />
            ),
          },
          { name: 'count', title: words.payments, align: 'end', cell: ({ count }) => count },
        ]}
      />
      <p className="card-body muted small">
        {words.paidHint} {!whole && words.paidPart}
      </p>
    </Card>
  );
}

/** The latest payouts to the payee. */
export function LatestPayouts({ payee }: PartProps) {
  const rows = payee.payouts.edges.map(({ node }) => node);
  if (rows.length === 0) return null;
  return (
    <Card title={words.payouts} flush>
      <Table
        caption={words.payouts}
        rows={rows}
        rowId={({ id }) => id}
        columns={[
          { name: 'id', title: words.id, cell: ({ id }) => <PayoutLink id={id} /> },
          {
            name: 'state',
            title: words.state,
            cell: ({ state }) => <PayoutStateMark state={state} />,
          },
          {
            name: 'amount',
            title: words.amount,
            align: 'end',
            cell: ({ amountMinor, currency }) => (
              <Amount minor={amountMinor} currency={currency} aligned />
            ),
          },
          { name: 'made', title: words.made, cell: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
      />
    </Card>
  );
}
