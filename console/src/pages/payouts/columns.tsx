import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Amount } from '../../parts/amount.tsx';
import { FailureCode } from '../../parts/failure-code.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import { PayoutStateMark } from '../../parts/state.tsx';
import type { Column } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import { purposeWords } from '../../values/purpose-words.ts';
import type { ColumnName, ListedPayout } from './cells.ts';

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
} as const satisfies Record<ColumnName, Omit<Column<ListedPayout>, 'name' | 'title'>>;

const names = Object.keys(columns) as ColumnName[];
const usual: readonly ColumnName[] = ['payee', 'amount', 'state', 'reference', 'created'];
const storageKey = 'payout-columns';

function read(text: string): readonly ColumnName[] {
  const given = text.split(' ');
  const known = names.filter((name) => given.includes(name));
  return known.length === 0 ? usual : known;
}

/** The columns that the reader chose, kept in this browser, and the menu in which they choose. */
export function useColumns() {
  const [chosen, setChosen] = useState(() => read(localStorage.getItem(storageKey) ?? ''));
  const choose = (next: readonly ColumnName[]) => {
    localStorage.setItem(storageKey, next.join(' '));
    setChosen(next);
  };
  const toggle = (name: ColumnName) =>
    choose(names.filter((other) => chosen.includes(other) !== (other === name)));
  const menu = (
    <Menu
      label={
        <>
          <Icon name="columns" />
          {words.menu}
        </>
      }
    >
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
  return { columns: shown, menu, chosen, restore: (text: string) => choose(read(text)) };
}
