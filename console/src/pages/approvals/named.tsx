import { Amount } from '../../parts/amount.tsx';
import { texts } from '../../texts/texts.ts';
import { nameOf, type WaitingPayout } from './rows.ts';

const words = texts.approvals.ask;

/** More lines than these are folded away. */
const openLines = 5;

/** Payouts by name and amount, the same amount to the same payee on one line. */
export function Named({ rows }: { readonly rows: readonly WaitingPayout[] }) {
  const lines = [
    ...Map.groupBy(rows, ({ beneficiaryId, amountMinor, currency }) =>
      [beneficiaryId, amountMinor, currency].join(' '),
    ),
  ];
  const list = (
    <ul>
      {lines.map(([key, same]) => (
        <Line key={key} same={same} />
      ))}
    </ul>
  );
  if (lines.length <= openLines) return list;
  return (
    <details>
      <summary>{words.which}</summary>
      {list}
    </details>
  );
}

function Line({ same }: { readonly same: readonly WaitingPayout[] }) {
  const [row] = same;
  if (row === undefined) return null;
  return (
    <li>
      {`${nameOf(row)}, `}
      {same.length > 1 && words.times({ n: same.length })}
      <Amount minor={row.amountMinor} currency={row.currency} />
    </li>
  );
}
