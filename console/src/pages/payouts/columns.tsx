import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { PayoutListQuery } from '../../../../generated/console-types/graphql.ts';
import { Amount } from '../../parts/amount.tsx';
import { FailureCode } from '../../parts/failure-code.tsx';
import { Menu } from '../../parts/menu.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { purposeWords } from '../../values/purpose-words.ts';

export type ListedPayout = PayoutListQuery['payouts']['edges'][number]['node'];

const words = texts.payouts.columns;

/** Every column that the table can have, in their order. The payee leads to the payout. */
const columns = {
  payee: {
    place: 'lead',
    cell: ({ id, beneficiaryName, beneficiaryId }) => (
      <Link to="/payouts/$id" params={{ id }}>
        {beneficiaryName ?? beneficiaryId}
      </Link>
    ),
  },
  amount: {
    place: 'figure',
    align: 'end',
    cell: ({ amountMinor, currency }) => <Amount minor={amountMinor} currency={currency} aligned />,
  },
  state: { place: 'state', cell: ({ state }) => <PayoutStateMark state={state} /> },
  reference: { place: 'rest', cell: ({ externalRef }) => externalRef },
  created: { place: 'time', cell: ({ createdAt }) => <Time at={createdAt} /> },
  updated: { place: 'rest', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
  settled: {
    place: 'rest',
    cell: ({ settledAt }) => settledAt !== null && <Time at={settledAt} />,
  },
  account: { place: 'rest', cell: ({ destination }) => destination.maskedAccount },
  purpose: { place: 'rest', cell: ({ purposeOfPayment }) => purposeWords(purposeOfPayment) },
  provider: { place: 'rest', cell: ({ provider }) => provider },
  failure: {
    place: 'rest',
    cell: ({ failureCode }) => failureCode !== null && <FailureCode code={failureCode} />,
  },
  id: { place: 'rest', cell: ({ id }) => <code>{id}</code> },
} as const satisfies Record<string, Omit<Column<ListedPayout>, 'name' | 'title'>>;

type Name = keyof typeof columns;
const names = Object.keys(columns) as Name[];
const usual: readonly Name[] = ['payee', 'amount', 'state', 'reference', 'created'];
const storageKey = 'payout-columns';

function kept(): readonly Name[] {
  const given = (localStorage.getItem(storageKey) ?? '').split(' ');
  const known = names.filter((name) => given.includes(name));
  return known.length === 0 ? usual : known;
}

/** The columns that the reader chose, kept in this browser, and the menu in which they choose. */
export function useColumns() {
  const [chosen, setChosen] = useState(kept);
  const toggle = (name: Name) => {
    const next = names.filter((other) => chosen.includes(other) !== (other === name));
    localStorage.setItem(storageKey, next.join(' '));
    setChosen(next);
  };
  const menu = (
    <Menu label={words.menu}>
      {names.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            // The payee leads to the payout.
            disabled={name === 'payee'}
            onChange={() => toggle(name)}
          />
          {words[name]}
        </label>
      ))}
    </Menu>
  );
  const shown = chosen.map((name): Column<ListedPayout> => {
    return { ...columns[name], name, title: words[name] };
  });
  return { columns: shown, menu };
}
