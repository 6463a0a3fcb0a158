import type { BankMonthPartsFragment } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { Amount } from '../amount.tsx';
import { Card } from '../card.tsx';
import { StateMark } from '../state.tsx';
import { Table, type Column } from '../table.tsx';

const words = texts.banks.month;

type Month = BankMonthPartsFragment;

interface Line {
  readonly name: keyof typeof words.lines;
  readonly count: number;
  readonly minor: string;
}

/** What happened, in the order of a month's end: what is open stands last. */
const linesOf = (month: Month): readonly Line[] => [
  { name: 'paid', count: month.paidCount, minor: month.paidMinor },
  { name: 'returned', count: month.returnedCount, minor: month.returnedMinor },
  { name: 'fees', count: month.feesCount, minor: month.feesMinor },
  { name: 'funding', count: month.fundingCount, minor: month.fundingMinor },
  { name: 'explained', count: month.explainedCount, minor: month.explainedMinor },
  { name: 'open', count: month.openCount, minor: month.openMinor },
  { name: 'missing', count: month.missingCount, minor: month.missingMinor },
];

/** Whether everything of the month is matched or explained. */
const isClosed = ({ openCount, missingCount }: Month): boolean =>
  openCount === 0 && missingCount === 0;

/** Each connection and currency of a month with what is open there. */
export function MonthCards({ months }: { readonly months: readonly Month[] }) {
  return months.map((month) => {
    const title = words.of({ connection: month.connection, currency: month.currency });
    return (
      <Card
        key={`${month.connectionId} ${month.currency}`}
        title={title}
        flush
        aside={
          <StateMark tone={isClosed(month) ? 'good' : 'wait'}>
            {isClosed(month) ? words.closed : words.notClosed}
          </StateMark>
        }
      >
        <Table
          caption={title}
          rows={linesOf(month)}
          rowId={({ name }) => name}
          columns={columnsOf(month.currency)}
        />
      </Card>
    );
  });
}

const columnsOf = (currency: string): readonly Column<Line>[] => [
  { name: 'what', title: words.what, cell: ({ name }) => words.lines[name] },
  { name: 'count', title: words.count, align: 'end', cell: ({ count }) => count },
  {
    name: 'amount',
    title: words.amount,
    align: 'end',
    cell: ({ minor }) => <Amount minor={minor} currency={currency} aligned />,
  },
];
