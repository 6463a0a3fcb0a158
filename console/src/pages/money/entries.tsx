import type { MoneyEntriesQuery } from '../../../../generated/console-types/graphql.ts';
import { moneyEntriesDocument } from '../../../../generated/console-types/pages/money/money.ts';
import { useFresh } from '../../app/fresh.ts';
import { Listing } from '../../app/listing.tsx';
import { pageOf, type ListPlace } from '../../app/place.ts';
import { Amount } from '../../parts/amount.tsx';
import { Empty } from '../../parts/blank.tsx';
import { Card } from '../../parts/card.tsx';
import { Choice } from '../../parts/choice.tsx';
import { PayoutLink } from '../../parts/payout-link.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';
import type { EntryChoice, EntryKind } from './entry-choice.ts';

const words = texts.money;

type Entry = MoneyEntriesQuery['ledgerEntries']['edges'][number]['node'];

interface EntriesProps {
  readonly kind: EntryKind | undefined;
  readonly place: ListPlace;
  onGo(to: ListPlace & EntryChoice): void;
}

/** From where to where the amount went: a credit takes from an account, a debit adds to one. */
function wayOf({ kind, creditAccount, debitAccount }: Entry): string {
  if (kind === 'hold' || kind === 'release') return words.reserved;
  return words.moved({
    from: words.accounts[creditAccount],
    to: words.accounts[debitAccount],
  });
}

/** Every entry of the books, the latest first, each with what caused it. */
export function Entries({ kind, place, onGo }: EntriesProps) {
  const choice = kind === undefined ? {} : { kind };
  const filter = kind === undefined ? null : { kind: [kind] };
  const fresh = useFresh(moneyEntriesDocument, { ...pageOf(place), filter });
  return (
    <Card title={words.list} flush>
      <div className="card-body form-page">
        <Choice
          label={words.what}
          options={words.kinds}
          any={words.anyKind}
          value={kind}
          onChange={(chosen) => onGo(chosen === undefined ? {} : { kind: chosen })}
        />
      </div>
      <Listing
        caption={words.list}
        fresh={fresh}
        page={fresh.data?.ledgerEntries ?? null}
        place={place}
        onPlace={(to) => onGo({ ...choice, ...to })}
        versionOf={({ id }) => id}
        empty={<Empty title={words.noEntries} />}
        columns={[
          { name: 'when', title: words.when, cell: ({ recordedAt }) => <Time at={recordedAt} /> },
          {
            name: 'what',
            title: words.what,
            cell: (entry) => (
              <>
                {words.kinds[entry.kind]}
                <div className="muted small">{wayOf(entry)}</div>
              </>
            ),
          },
          {
            name: 'cause',
            title: words.cause,
            cell: ({ payoutId, source, transition }) => (
              <>
                {payoutId === null ? source : <PayoutLink id={payoutId} />}
                {transition?.reason && <div className="muted small">{transition.reason}</div>}
              </>
            ),
          },
          {
            name: 'amount',
            title: words.amount,
            align: 'end',
            cell: ({ amountMinor, currency }) => (
              <Amount minor={amountMinor} currency={currency} aligned />
            ),
          },
        ]}
      />
    </Card>
  );
}
