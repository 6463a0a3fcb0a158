import type { OverviewQuery } from '../../../../generated/console-types/graphql.ts';
import { Card } from '../../parts/card.tsx';
import { ListLink } from '../../parts/list-link.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import { grouped, texts } from '../../texts/texts.ts';
import type { DayRange } from './range.ts';

const words = texts.overview.states;

interface StatesProps {
  readonly states: OverviewQuery['figures']['payoutsByState'];
  readonly range: DayRange;
}

/** From the first state of a payout to those that end it. */
const order = Object.keys(texts.states);
const inOrder = (states: StatesProps['states']) =>
  states.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state));

/** How many payouts of the range are in each state. */
export function States({ states, range }: StatesProps) {
  return (
    <Card
      title={words.title}
      aside={<span className="muted small">{words.lead({ count: range.days.length })}</span>}
    >
      <ul className="figures">
        {inOrder(states).map(({ state, count }) => (
          <li key={state} data-none={count === 0}>
            <ListLink
              to="/payouts"
              filter={{ state: [state], ...range.created }}
              label={words.link({ count, state: texts.states[state] })}
            >
              {grouped(count)}
            </ListLink>
            <PayoutStateMark state={state} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
