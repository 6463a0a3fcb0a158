import { Link } from '@tanstack/react-router';
import { useEffect, useId, type ReactNode } from 'react';
import type { SearchEverythingQuery } from '../../../generated/console-types/graphql.ts';
import { Amount } from '../parts/amount.tsx';
import { announce } from '../parts/live.tsx';
import { PayoutStateMark } from '../parts/state.tsx';
import { Time } from '../parts/time.tsx';
import { texts } from '../texts/texts.ts';

const words = texts.search;

interface HitsProps {
  readonly text: string;
  readonly found: SearchEverythingQuery;
  /** Somebody follows a way, so the search is over. */
  onDone(): void;
}

/** What a text found, by kind. */
export function SearchHits({ text, found, onDone }: HitsProps) {
  const { payoutSearch, beneficiarySearch, bankAccountSearch, bankBatchSearch } = found;
  const { beneficiaries: payees } = beneficiarySearch;
  const { accounts } = bankAccountSearch;
  const payouts = payoutSearch.reduce((sum, hits) => sum + hits.payouts.length, 0);
  const count = payouts + payees.length + accounts.length + bankBatchSearch.length;
  useEffect(() => announce(words.count({ count })), [count, text]);
  if (count === 0) return <p className="muted">{words.nothing({ text })}</p>;
  return (
    <>
      {payoutSearch.map(({ kind, payouts: hits }) => (
        <Group key={kind} title={words.payoutsBy({ what: texts.payouts.find.kinds[kind] })}>
          {hits.map(({ id, state, beneficiaryName, amountMinor, currency, externalRef }) => (
            <li key={id}>
              <Link to="/payouts/$id" params={{ id }} onClick={onDone}>
                {beneficiaryName ?? id}
              </Link>
              <Amount minor={amountMinor} currency={currency} />
              <PayoutStateMark state={state} />
              <span className="muted small">{externalRef}</span>
            </li>
          ))}
        </Group>
      ))}
      {payouts > 0 && (
        <p>
          <Link to="/payouts" search={{ find: text }} onClick={onDone}>
            {words.allPayouts}
          </Link>
        </p>
      )}
      <Group title={texts.payees.title} empty={payees.length === 0}>
        {payees.map(({ id, displayName, email, status }) => (
          <li key={id}>
            <Link to="/payees/$id" params={{ id }} onClick={onDone}>
              {displayName}
            </Link>
            <span className="muted small">{email}</span>
            <span className="muted small">{texts.payees.statuses[status]}</span>
          </li>
        ))}
        {beneficiarySearch.more && (
          <li>
            <Link to="/payees" search={{ sought: text }} onClick={onDone}>
              {words.allPayees}
            </Link>
          </li>
        )}
      </Group>
      <Group title={texts.payees.accounts} empty={accounts.length === 0}>
        {accounts.map(({ id, last4, bankName, currency, beneficiary }) => (
          <li key={id}>
            <Link to="/payees/$id" params={{ id: beneficiary.id }} onClick={onDone}>
              {texts.payees.masked({ last4 })}
            </Link>
            <span>{beneficiary.displayName}</span>
            <span className="muted small">{[bankName, currency].filter(Boolean).join(', ')}</span>
          </li>
        ))}
        {bankAccountSearch.more && <li className="muted">{words.moreAccounts}</li>}
      </Group>
      <Group title={words.batches} empty={bankBatchSearch.length === 0}>
        {bankBatchSearch.map(({ id, fileName, paymentCount, closedAt }) => (
          <li key={id}>
            <strong>{fileName}</strong>
            <span>{words.payments({ count: paymentCount })}</span>
            <span className="muted small">
              <Time at={closedAt} />
            </span>
          </li>
        ))}
      </Group>
    </>
  );
}

interface GroupProps {
  readonly title: string;
  readonly empty?: boolean;
  readonly children: ReactNode;
}

function Group({ title, empty = false, children }: GroupProps) {
  const id = useId();
  if (empty) return null;
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      <ul className="hits">{children}</ul>
    </section>
  );
}
