import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Note } from '../../parts/note.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import { Table } from '../../parts/table.tsx';
import { grouped, texts } from '../../texts/texts.ts';
import { RowState } from './batch-state.tsx';
import type { ShownBatch } from './shown-batch.ts';

const words = texts.batches;

/** What a batch comes to in each currency against the funds, and its payouts by state. */
export function Sums({ batch }: { readonly batch: ShownBatch }) {
  const { statuses, totals, states, routes } = batch.summary;
  return (
    <>
      <Card title={words.sums}>
        <div className="stack">
          {totals.map((total) => (
            <div key={total.currency}>
              <Facts
                facts={[
                  [
                    words.total,
                    <Amount key="sum" minor={total.amountMinor} currency={total.currency} />,
                  ],
                  [words.rows, grouped(total.rows)],
                  [
                    words.available,
                    <Amount key="funds" minor={total.availableMinor} currency={total.currency} />,
                  ],
                ]}
              />
              {BigInt(total.shortfallMinor) > 0n && (
                <Note tone="wait">
                  {words.short} <Amount minor={total.shortfallMinor} currency={total.currency} />
                </Note>
              )}
            </div>
          ))}
          <ul>
            {statuses.map(({ status, rows }) => (
              <li key={status}>
                <RowState status={status} /> {grouped(rows)}
              </li>
            ))}
          </ul>
          {routes.map(({ provider, currency, rows }) => (
            <p key={`${provider ?? ''} ${currency}`}>
              {words.route({ provider: provider ?? '–', currency, count: rows })}
            </p>
          ))}
        </div>
      </Card>
      {states.length > 0 && (
        <Card title={words.payouts} flush>
          <Table
            caption={words.payouts}
            rows={states}
            rowId={({ state, currency }) => `${state} ${currency}`}
            columns={[
              {
                name: 'state',
                title: words.state,
                cell: ({ state }) => <PayoutStateMark state={state} />,
              },
              {
                name: 'payouts',
                title: words.payouts,
                align: 'end',
                cell: ({ payouts }) => grouped(payouts),
              },
              {
                name: 'amount',
                title: words.total,
                align: 'end',
                cell: ({ amountMinor, currency }) => (
                  <Amount minor={amountMinor} currency={currency} aligned />
                ),
              },
            ]}
          />
        </Card>
      )}
    </>
  );
}
