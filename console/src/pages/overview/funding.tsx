import type { OverviewQuery } from '../../../../generated/console-types/graphql.ts';
import { Amount } from '../../parts/amount.tsx';
import { Card } from '../../parts/card.tsx';
import { Facts } from '../../parts/facts.tsx';
import { ListLink } from '../../parts/list-link.tsx';
import { Time } from '../../parts/time.tsx';
import { texts } from '../../texts/texts.ts';

const words = texts.overview.funding;

type Account = NonNullable<OverviewQuery['fundingAccount']>;

interface FundingProps {
  /** Null until it is provisioned. */
  readonly account: Account | null;
  /** What the books say, in the place of an account too. */
  readonly books: OverviewQuery['books'];
}

/** What there is to pay with. A reported balance takes the place of what the books say is available. */
function rowsOf({ mode, currency, availableBalanceMinor, balances }: Account) {
  return balances.map((balance) => ({
    ...balance,
    availableMinor:
      mode === 'reported' && balance.currency === currency
        ? availableBalanceMinor
        : balance.availableMinor,
  }));
}

/** The money that payouts are made from, by currency. */
export function Funding({ account, books }: FundingProps) {
  const rows = account === null ? books.balances : rowsOf(account);
  if (rows.length === 0) {
    return (
      <Card title={words.title}>
        <p className="muted">{words.none}</p>
      </Card>
    );
  }
  const aside = (
    <span className="muted small">
      {account === null || account.mode === 'enforced' ? (
        words.byBooks
      ) : (
        <>
          {words.reported} <Time at={account.asOf} />
        </>
      )}
    </span>
  );
  return (
    <Card title={words.title} aside={aside}>
      <div className="stack">
        {rows.map(({ currency, availableMinor, heldMinor, inTransitMinor }) => (
          <div key={currency} className="stack">
            <p className="figure">
              <Amount minor={availableMinor} currency={currency} />
            </p>
            <Facts
              facts={[
                [
                  words.held,
                  <ListLink key="held" to="/payouts" filter={{ state: ['approved'], currency }}>
                    <Amount minor={heldMinor} currency={currency} aligned />
                  </ListLink>,
                ],
                [
                  words.inTransit,
                  <ListLink
                    key="in-transit"
                    to="/payouts"
                    filter={{ state: ['approved', 'disbursed'], currency }}
                  >
                    <Amount minor={inTransitMinor} currency={currency} aligned />
                  </ListLink>,
                ],
              ]}
            />
          </div>
        ))}
      </div>
    </Card>
  );
}
