import { Amount } from '../../parts/amount.tsx';
import { texts } from '../../texts/texts.ts';
import type { WaitingPayout } from './rows.ts';

const words = texts.approvals;

/** How many payouts of each currency there are, and their sum. */
export function Sums({ rows }: { readonly rows: readonly WaitingPayout[] }) {
  const byCurrency = Map.groupBy(rows, ({ currency }) => currency);
  return (
    <span className="sums">
      {[...byCurrency].map(([currency, some]) => (
        <span key={currency}>
          <Amount
            minor={String(some.reduce((sum, { amountMinor }) => sum + BigInt(amountMinor), 0n))}
            currency={currency}
          />
          {byCurrency.size > 1 && (
            <span className="muted">{` ${words.ofCurrency({ count: some.length })}`}</span>
          )}
        </span>
      ))}
    </span>
  );
}
