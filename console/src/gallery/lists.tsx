import { Amount } from '../parts/amount.tsx';
import { Card } from '../parts/card.tsx';
import { Loading } from '../parts/loading.tsx';
import { Pager } from '../parts/pager.tsx';
import { PayoutStateMark } from '../parts/state.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { Specimen } from './specimen.tsx';

const rows = [
  { id: 'a', name: 'Zoë Müller', minor: 123_450, currency: 'EUR', state: 'pending_approval' },
  { id: 'b', name: 'Kenji Nakamura', minor: 432_431, currency: 'JPY', state: 'settled' },
  { id: 'c', name: 'Noor Al-Sabah', minor: 1_234_567, currency: 'KWD', state: 'failed' },
  { id: 'd', name: 'Example Holding GmbH & Co. KG', minor: 5, currency: 'USD', state: 'canceled' },
] as const;
type Row = (typeof rows)[number];

const columns: readonly Column<Row>[] = [
  { name: 'name', title: 'Payee', place: 'lead', cell: ({ name }) => <a href="#lists">{name}</a> },
  {
    name: 'amount',
    title: 'Amount',
    align: 'end',
    place: 'figure',
    cell: ({ minor, currency }) => <Amount minor={minor} currency={currency} aligned />,
  },
  {
    name: 'state',
    title: 'Status',
    place: 'state',
    cell: ({ state }) => <PayoutStateMark state={state} />,
  },
  {
    name: 'at',
    title: 'Created',
    place: 'time',
    cell: () => <Time at="2026-03-04T05:06:07.000Z" />,
  },
  { name: 'reference', title: 'Reference', place: 'rest', cell: ({ id }) => `INV-2026-${id}` },
];

/** Rows: of a page, of a part of a page, and before they are there. */
export function Lists() {
  return (
    <>
      <Specimen title="List">
        <Card flush>
          <Table
            caption="Payouts"
            rows={rows}
            rowId={({ id }) => id}
            columns={columns}
            changed={new Set(['b'])}
            selected={new Set(['c'])}
          />
          <Pager shown={4} total={40} onNext={() => {}} />
        </Card>
      </Specimen>
      <Specimen title="List in a part">
        <Card title="Latest payouts" aside={<a href="#lists">All</a>} flush>
          <Table
            caption="Latest payouts"
            rows={rows}
            rowId={({ id }) => id}
            columns={columns.slice(0, 3)}
          />
        </Card>
      </Specimen>
      <Specimen title="Loading">
        <Card flush>
          <Loading lines={3} />
        </Card>
      </Specimen>
    </>
  );
}
