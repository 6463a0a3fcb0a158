import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { MoneyQuery } from '../../../../generated/console-types/graphql.ts';
import { moneyDocument } from '../../../../generated/console-types/pages/money/money.ts';
import { useFresh } from '../../app/fresh.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ListLink } from '../../parts/list-link.tsx';
import { Page } from '../../parts/page.tsx';
import { Pending } from '../../parts/pending.tsx';
import { texts } from '../../texts/texts.ts';
import { dayBefore, startOfDay } from '../../values/time.ts';
import { Changes } from './changes.tsx';
import { Entries } from './entries.tsx';
import { Statement } from './statement.tsx';
import './money.css';

const route = getRouteApi('/shell/money');
const words = texts.money;

/** The books by currency: what there is, why it changed, each entry with its cause, and the statement of a period. */
export function MoneyPage() {
  const { kind, ...place } = route.useSearch();
  const navigate = route.useNavigate();
  const [since] = useState(() => startOfDay(dayBefore(1)));
  const fresh = useFresh(moneyDocument, { since }, { everyMs: 60_000 });
  const { data } = fresh;
  return (
    <Page title={words.title} lead={words.lead}>
      {data === null ? (
        <Pending of={fresh} lines={8} />
      ) : data.books.balances.length === 0 ? (
        <Empty title={words.none}>{words.noneHint}</Empty>
      ) : (
        <div className="stack">
          <Balances balances={data.books.balances} />
          <Changes changes={data.booksChanges} />
          <Entries
            kind={kind}
            place={place}
            onGo={(to) => void navigate({ search: to, resetScroll: false })}
          />
          <Statement />
        </div>
      )}
    </Page>
  );
}

function Balances({ balances }: { readonly balances: MoneyQuery['books']['balances'] }) {
  return (
    <div className="balances">
      {balances.map((balance) => (
        <Card key={balance.currency} title={balance.currency}>
          <Balance balance={balance} />
        </Card>
      ))}
    </div>
  );
}

function Balance({ balance }: { readonly balance: MoneyQuery['books']['balances'][number] }) {
  const { currency, availableMinor, shortfallMinor } = balance;
  const amount = (minor: string) => <Amount minor={minor} currency={currency} />;
  const payouts = (minor: string, state: readonly string[]) => (
    <ListLink to="/payouts" filter={{ state, currency }}>
      {amount(minor)}
    </ListLink>
  );
  return (
    <div className="stack">
      <p>
        <span className="muted small">{words.available}</span>
        <br />
        <span className="figure">
          <Amount minor={availableMinor} currency={currency} />
        </span>
      </p>
      <Facts
        facts={[
          [words.held, payouts(balance.heldMinor, ['approved'])],
          [words.inTransit, payouts(balance.inTransitMinor, ['disbursed'])],
          [words.paid, payouts(balance.paidMinor, ['settled'])],
          [words.fees, balance.feesMinor === '0' ? null : amount(balance.feesMinor)],
          [words.shortfall, shortfallMinor === '0' ? null : amount(shortfallMinor)],
        ]}
      />
    </div>
  );
}
