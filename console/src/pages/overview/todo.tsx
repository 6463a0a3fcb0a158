import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OverviewQuery } from '../../../../generated/console-types/graphql.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';
import { ListLink } from '../../parts/list-link.tsx';
import type { Tone } from '../../parts/state.tsx';
import { Since, Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { unreplacedSince, type DayRange } from './range.ts';

const words = texts.overview.todo;

interface TodoProps {
  readonly data: OverviewQuery;
  readonly range: DayRange;
}

interface Sum {
  readonly currency: string;
  readonly amountMinor: string;
}

/** What needs the reader, the most urgent first: what cannot be paid, what went wrong, what waits, what leaves today. */
export function Todo({ data, range }: TodoProps) {
  const items = [
    <Short key="short" data={data} />,
    <Unreplaced key="unreplaced" data={data} range={range} />,
    <Waits key="waits" data={data} />,
    <Uncovered key="uncovered" data={data} />,
    <Queues key="queues" data={data} />,
  ];
  const isIdle =
    shortOf(data).length === 0 &&
    countOf(data.unreplaced) === 0 &&
    countOf(data.waiting) === 0 &&
    dueOf(data).length === 0;
  return (
    <Card title={words.title} flush>
      {isIdle ? <p className="card-body muted">{words.none}</p> : <ul className="todo">{items}</ul>}
    </Card>
  );
}

interface ItemProps {
  readonly tone: Tone;
  readonly icon: IconName;
  readonly sums: readonly Sum[];
  readonly since?: ReactNode;
  readonly children: ReactNode;
}

function Item({ tone, icon, sums, since, children }: ItemProps) {
  return (
    <li data-tone={tone}>
      <Icon name={icon} />
      <div>
        <p>{children}</p>
        {since !== undefined && <p className="muted small">{since}</p>}
      </div>
      <p className="todo-sums">
        {sums.map(({ currency, amountMinor }) => (
          <Amount key={currency} minor={amountMinor} currency={currency} />
        ))}
      </p>
    </li>
  );
}

type Sums = OverviewQuery['waiting'];

/** How many there are; null stands for more than are added up. */
const countOf = (sums: Sums): number | null =>
  sums === null ? null : sums.reduce((total, { count }) => total + count, 0);

const shortOf = ({ books }: OverviewQuery): Sum[] =>
  books.balances
    .filter(({ shortfallMinor }) => shortfallMinor !== '0')
    .map(({ currency, shortfallMinor }) => ({ currency, amountMinor: shortfallMinor }));

function Short({ data }: Pick<TodoProps, 'data'>) {
  const short = shortOf(data);
  if (short.length === 0) return null;
  return (
    <Item tone="bad" icon="warning" sums={short}>
      <Link to="/money">{words.short}</Link>
    </Item>
  );
}

function Unreplaced({ data, range }: TodoProps) {
  const count = countOf(data.unreplaced);
  if (count === 0) return null;
  return (
    <Item tone="bad" icon="fault" sums={data.unreplaced ?? []}>
      <ListLink to="/payouts" filter={unreplacedSince(range)}>
        {count === null ? words.manyUnreplaced : words.unreplaced({ count })}
      </ListLink>
    </Item>
  );
}

function Waits({ data }: Pick<TodoProps, 'data'>) {
  const count = countOf(data.waiting);
  const oldest = data.longestWait.edges[0]?.node.updatedAt;
  if (count === 0) return null;
  return (
    <Item
      tone="wait"
      icon="approval"
      sums={data.waiting ?? []}
      since={
        oldest !== undefined && (
          <>
            {texts.overview.waiting.longest} <Since at={oldest} />
          </>
        )
      }
    >
      <ListLink to="/approvals">
        {count === null ? words.manyWaiting : words.waiting({ count })}
      </ListLink>
    </Item>
  );
}

/** What the funds lack for all that waits, where the books decide whether it can be approved. */
function Uncovered({ data: { waiting, books } }: Pick<TodoProps, 'data'>) {
  if (books.mode !== 'enforced') return null;
  const available = new Map(
    books.balances.map(({ currency, availableMinor }) => [currency, availableMinor]),
  );
  const lacking = (waiting ?? []).flatMap(({ currency, amountMinor }) => {
    const lack = BigInt(amountMinor) - BigInt(available.get(currency) ?? 0);
    return lack > 0n ? [{ currency, amountMinor: lack.toString() }] : [];
  });
  if (lacking.length === 0) return null;
  return (
    <Item tone="wait" icon="money" sums={lacking}>
      <Link to="/money">{words.uncovered}</Link>
    </Item>
  );
}

/** What goes to a bank today, or could not. */
function dueOf({ bankQueues }: OverviewQuery): OverviewQuery['bankQueues'] {
  const today = new Date().toDateString();
  return bankQueues.filter(
    ({ closesAt, problem }) => problem !== null || new Date(closesAt).toDateString() === today,
  );
}

function Queues({ data }: Pick<TodoProps, 'data'>) {
  const names = new Map(data.bankConnections.map(({ id, name }) => [id, name]));
  return dueOf(data).map((queue) => {
    const { connectionId, scheme, payoutCount: count, closesAt, problem } = queue;
    const bank = names.get(connectionId) ?? '';
    return (
      <Item
        key={`${connectionId} ${scheme}`}
        tone={problem === null ? 'go' : 'bad'}
        icon="bank"
        sums={[queue]}
        since={
          <>
            {words.closes} <Time at={closesAt} />
          </>
        }
      >
        <Link to="/banks">
          {problem === null ? words.due({ count, bank }) : words.problem({ bank })}
        </Link>
      </Item>
    );
  });
}
