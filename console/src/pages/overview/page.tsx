import { getRouteApi } from '@tanstack/react-router';
import { useFresh } from '../../app/fresh.ts';
import { Button } from '../../parts/button.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { Days } from './days.tsx';
import { Deliveries } from './deliveries.tsx';
import { Failures } from './failures.tsx';
import { Funding } from './funding.tsx';
import './overview.css';
import { overviewDocument } from '../../../../generated/console-types/pages/overview/overview.ts';
import { rangeOf, ranges, unreplacedSince, type Days as DayCount } from './range.ts';
import { States } from './states.tsx';
import { Steps } from './steps.tsx';
import { Todo } from './todo.tsx';
import { Waiting } from './waiting.tsx';

const route = getRouteApi('/shell/');

/** The figures add up an index of all payouts of the range, which need not be done as often as a page of a list. */
const everyMs = 60_000;

/** The page of the morning: what waits, what went wrong, what is on its way. */
export function OverviewPage() {
  const { days = ranges[0], currency } = route.useSearch();
  const navigate = route.useNavigate();
  const range = rangeOf(days);
  const unreplaced = unreplacedSince(range);
  const fresh = useFresh(overviewDocument, { ...range.query, unreplaced }, { everyMs });
  const { data } = fresh;
  // Before the first payout is approved there is nothing that figures could be of.
  const isNew = data !== null && data.anyApproved.edges.length === 0;
  const choose = (part: { days?: DayCount; currency?: string }) => {
    void navigate({ search: (before) => ({ ...before, ...part }), replace: true });
  };
  return (
    <Page
      title={texts.overview.title}
      actions={!isNew && <RangeButtons days={days} onChoose={choose} />}
    >
      {data === null ? (
        <Pending of={fresh} lines={12} />
      ) : isNew ? (
        <div className="stack">
          <Steps data={data} />
          {data.anyPayout.edges.length > 0 && <Todo data={data} range={range} />}
          <div className="columns">
            <Funding account={data.fundingAccount ?? null} books={data.books} />
            <Deliveries health={data.figures.deliveryHealth} range={range} />
          </div>
        </div>
      ) : (
        <div className="overview">
          <div className="wide">
            <Todo data={data} range={range} />
          </div>
          <div className="wide">
            <States states={data.figures.payoutsByState} range={range} />
          </div>
          <div className="two">
            <Days
              figures={data.figures.payoutsByDay}
              range={range}
              chosen={currency}
              onChoose={(code) => choose({ currency: code })}
            />
          </div>
          <Waiting
            queue={data.figures.approvalQueue}
            since={data.longestWait.edges[0]?.node.updatedAt ?? null}
          />
          <Failures failures={data.figures.failuresByCode} range={range} />
          <Deliveries health={data.figures.deliveryHealth} range={range} />
          <Funding account={data.fundingAccount ?? null} books={data.books} />
        </div>
      )}
    </Page>
  );
}

interface RangeButtonsProps {
  readonly days: DayCount;
  onChoose(part: { days: DayCount }): void;
}

function RangeButtons({ days, onChoose }: RangeButtonsProps) {
  return (
    <fieldset className="pages">
      <legend className="hidden">{texts.overview.range.label}</legend>
      {ranges
        .toSorted((a, b) => a - b)
        .map((count) => (
          <Button
            key={count}
            aria-pressed={count === days}
            onClick={() => onChoose({ days: count })}
          >
            {texts.overview.range.days({ count })}
          </Button>
        ))}
    </fieldset>
  );
}
