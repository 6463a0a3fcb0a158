import { Link } from '@tanstack/react-router';
import type { MoneyQuery } from '../../../../generated/console-types/graphql.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Table } from '../../parts/table.tsx';
import { grouped, texts } from '../../texts/texts.ts';

const words = texts.money;

type Change = MoneyQuery['booksChanges'][number];
type Line = Pick<Change, 'currency' | 'availableMinor'> & { readonly of: Change | null };

/** The changes of each currency, and what they come to. */
function linesOf(changes: readonly Change[]): Line[] {
  const byCurrency = Map.groupBy(changes, ({ currency }) => currency);
  return [...byCurrency].flatMap(([currency, own]): Line[] => {
    const sum = own.reduce((total, { availableMinor }) => total + BigInt(availableMinor), 0n);
    const lines = own.map((of) => ({ currency, availableMinor: of.availableMinor, of }));
    return [...lines, { currency, availableMinor: sum.toString(), of: null }];
  });
}

/** Why what is available is another than at the beginning of yesterday; each line leads to its entries. */
export function Changes({ changes }: { readonly changes: readonly Change[] }) {
  if (changes.length === 0) {
    return (
      <Card title={words.changes}>
        <p className="muted">{words.noChange}</p>
      </Card>
    );
  }
  return (
    <Card title={words.changes} flush>
      <Table
        caption={words.changes}
        rows={linesOf(changes)}
        rowId={({ currency, of }) => `${currency} ${of?.kind ?? ''}`}
        columns={[
          {
            name: 'what',
            title: words.what,
            cell: ({ of }) =>
              of === null ? (
                <strong>{words.total}</strong>
              ) : (
                <Link to="/money" search={{ kind: of.kind }} resetScroll={false}>
                  {words.kinds[of.kind]}
                </Link>
              ),
          },
          {
            name: 'count',
            title: words.entryCount,
            align: 'end',
            cell: ({ of }) => of !== null && grouped(of.count),
          },
          {
            name: 'amount',
            title: words.amount,
            align: 'end',
            cell: ({ currency, of }) =>
              of !== null && <Amount minor={of.amountMinor} currency={currency} aligned />,
          },
          {
            name: 'change',
            title: words.change,
            align: 'end',
            cell: ({ currency, availableMinor, of }) => {
              const amount = <Amount minor={availableMinor} currency={currency} aligned />;
              return of === null ? <strong>{amount}</strong> : amount;
            },
          },
        ]}
      />
    </Card>
  );
}
