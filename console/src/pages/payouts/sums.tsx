import { payoutSumsDocument } from '../../../../generated/console-types/pages/payouts/payouts.ts';
import { useFresh } from '../../app/fresh.ts';
import { Amount } from '../../parts/amount.tsx';
import { texts } from '../../texts/texts.ts';
import { filterOf, type ListAddress } from './filters.ts';

const words = texts.payouts.sums;

/** What all payouts of the list come to, on all its pages; of too many it says that there is no sum. */
export function Sums({ address }: { readonly address: ListAddress }) {
  const { data } = useFresh(payoutSumsDocument, { filter: filterOf(address) });
  const sums = data?.payoutSums;
  return (
    <p className="list-sums">
      {sums === null && words.tooMany}
      {sums !== null && sums !== undefined && sums.length > 0 && (
        <>
          <span>{words.label}</span>
          {sums.map(({ currency, amountMinor }) => (
            <Amount key={currency} minor={amountMinor} currency={currency} />
          ))}
        </>
      )}
    </p>
  );
}
