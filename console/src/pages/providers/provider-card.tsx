import { Card } from '../../parts/card.tsx';
import { Amount } from '../../parts/amount.tsx';
import { Table } from '../../parts/table.tsx';
import { texts } from '../../texts/texts.ts';
import type { ProvidersQuery } from '../../../../generated/console-types/graphql.ts';

const words = texts.providers;

type Provider = ProvidersQuery['payoutProviders'][number];
type PaidScheme = Provider['pays'][number];
type Ability = keyof typeof words.abilities;

/** More countries than that are told by their number. */
const mostNamed = 12;

const namesOf = (codes: readonly string[]): string =>
  codes.length > mostNamed ? words.countries({ count: codes.length }) : codes.join(', ');

function currenciesOf({ currencies, exceptCurrencies }: PaidScheme): string {
  if (currencies !== null) return currencies.join(', ');
  if (exceptCurrencies.length === 0) return words.any;
  return words.anyExcept({ codes: exceptCurrencies.join(', ') });
}

/** An amount has minor units of one currency: it is shown where the scheme pays in that one alone. */
function LargestAmount({ of: { currencies, largestAmountMinor } }: { readonly of: PaidScheme }) {
  const [currency, ...others] = currencies ?? [];
  if (largestAmountMinor === null || currency === undefined || others.length > 0) return '–';
  return <Amount minor={largestAmountMinor} currency={currency} />;
}

/** What a provider pays, scheme by scheme, and what else it can do. */
export function ProviderCard({ provider }: { readonly provider: Provider }) {
  const title = provider.connectionName ?? provider.name;
  const able = (Object.keys(words.abilities) as Ability[]).filter((name) => provider[name]);
  return (
    <Card title={title}>
      <p className="muted small">
        <code>{provider.name}</code>
      </p>
      <p>
        {able.length === 0 ? words.onlyPays : able.map((name) => words.abilities[name]).join(' ')}
      </p>
      <Table
        caption={words.paysOf({ name: title })}
        rows={provider.pays}
        rowId={({ scheme }) => scheme ?? ''}
        columns={[
          {
            name: 'scheme',
            title: words.scheme,
            cell: ({ scheme }) => (scheme === null ? words.itsOwn : <code>{scheme}</code>),
          },
          { name: 'currencies', title: words.currencies, cell: currenciesOf },
          {
            name: 'countries',
            title: words.countriesTitle,
            cell: ({ countries }) => (countries === null ? words.any : namesOf(countries)),
          },
          {
            name: 'largest',
            title: words.largest,
            align: 'end',
            cell: (scheme) => <LargestAmount of={scheme} />,
          },
        ]}
      />
    </Card>
  );
}
