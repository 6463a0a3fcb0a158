import { useId, useMemo, useState } from 'react';
import type { OverviewQuery } from '../../../../generated/console-types/graphql.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { ListLink } from '../../parts/list-link.tsx';
import { Table } from '../../parts/table.tsx';
import { grouped, texts } from '../../texts/texts.ts';
import { shortDay } from '../../values/time.ts';
import { DayChart } from './day-chart.tsx';
import { currenciesOf, sumsOf, totalOf, type DaySum } from './day-sums.ts';
import { createdOn, type DayRange } from './range.ts';

const words = texts.overview.days;

interface DaysProps {
  readonly figures: OverviewQuery['figures']['payoutsByDay'];
  readonly range: DayRange;
  /** The currency of the address; undefined where it has none. */
  readonly chosen: string | undefined;
  onChoose(currency: string): void;
}

/** Sums by day in one currency, as a picture and as a table. */
export function Days({ figures, range, chosen, onChoose }: DaysProps) {
  const id = useId();
  const currencies = currenciesOf(figures);
  const currency = chosen !== undefined && currencies.includes(chosen) ? chosen : currencies[0];
  if (currency === undefined) {
    return (
      <Card title={words.title}>
        <p className="muted">{words.none}</p>
      </Card>
    );
  }
  const choice = (
    <span className="row small">
      <label htmlFor={id}>{words.currency}</label>
      <select
        id={id}
        className="input short"
        value={currency}
        onChange={(event) => onChoose(event.target.value)}
      >
        {currencies.map((code) => (
          <option key={code}>{code}</option>
        ))}
      </select>
    </span>
  );
  return (
    <Card title={words.title} aside={choice} flush>
      <Sums figures={figures} range={range} currency={currency} />
    </Card>
  );
}

interface SumsProps extends Pick<DaysProps, 'figures' | 'range'> {
  readonly currency: string;
}

function Sums({ figures, range, currency }: SumsProps) {
  const [pointed, setPointed] = useState<DaySum | null>(null);
  // A refresh makes new figures; the picture is drawn anew only where a sum differs.
  const known = JSON.stringify(sumsOf(figures, currency, range.days));
  const sums = useMemo(() => JSON.parse(known) as DaySum[], [known]);
  const shown = pointed ?? totalOf(sums);
  return (
    <>
      <div className="card-body">
        <p className="figure">
          <Amount minor={shown.amountMinor} currency={currency} />
        </p>
        <p className="muted">
          {pointed === null
            ? words.inDays({
                payouts: texts.overview.waiting.payouts({ count: shown.count }),
                days: texts.overview.range.days({ count: sums.length }),
              })
            : words.onDay({ count: shown.count, day: shortDay(pointed.day) })}
        </p>
        <DayChart
          sums={sums}
          currency={currency}
          label={words.chart({ currency })}
          onPoint={setPointed}
        />
      </div>
      <details className="folded">
        <summary>{words.show}</summary>
        <Table
          caption={words.caption({ currency })}
          stacks={false}
          rows={sums.filter(({ count }) => count > 0).toReversed()}
          rowId={({ day }) => day}
          columns={[
            { name: 'day', title: words.day, cell: ({ day }) => shortDay(day) },
            {
              name: 'count',
              title: words.number,
              align: 'end',
              cell: ({ day, count }) => (
                <ListLink to="/payouts" filter={{ currency, ...createdOn(day) }}>
                  {grouped(count)}
                </ListLink>
              ),
            },
            {
              name: 'amount',
              title: words.amount,
              align: 'end',
              cell: ({ amountMinor }) => <Amount minor={amountMinor} currency={currency} aligned />,
            },
          ]}
        />
      </details>
    </>
  );
}
