import type { RoutePartsFragment } from '../../../../generated/console-types/graphql.ts';
import { texts } from '../../texts/texts.ts';
import { countryName } from '../../values/places.ts';
import { Amount } from '../amount.tsx';
import { Table } from '../table.tsx';

const words = texts.banks.routes;

type Route = RoutePartsFragment;

interface Named {
  readonly id: string;
  readonly name: string;
}

/** What a route leads to, by the name that people know it by. */
export const targetName = (
  { provider, connectionId }: Pick<Route, 'connectionId'> & { readonly provider: string | null },
  connections: readonly Named[],
): string => connections.find(({ id }) => id === connectionId)?.name ?? provider ?? words.nowhere;

interface RouteTableProps {
  readonly routes: readonly Route[];
  readonly connections: readonly Named[];
}

/** The routes in the order in which they are tried; without any the provider of the service pays everything. */
export function RouteTable({ routes, connections }: RouteTableProps) {
  if (routes.length === 0) return <p className="card-body muted">{words.none}</p>;
  return (
    <Table
      caption={words.title}
      rows={routes.map((route, index) => ({ ...route, place: index + 1 }))}
      rowId={({ place }) => String(place)}
      columns={[
        { name: 'place', title: words.place, cell: ({ place }) => place },
        { name: 'what', title: words.what, cell: (route) => <Conditions route={route} /> },
        {
          name: 'target',
          title: words.target,
          cell: (route) => (
            <>
              {targetName(route, connections)}
              {route.scheme && (
                <div className="muted small">{texts.banks.schemes[route.scheme]}</div>
              )}
            </>
          ),
        },
      ]}
    />
  );
}

/** What a route is chosen by; without conditions it takes whatever is left. */
function Conditions({ route }: { readonly route: Route }) {
  const { currency, country, amountFromMinor, amountToMinor } = route;
  if (currency === null && country === null) return words.everything;
  return (
    <>
      {currency ?? words.anyCurrency}
      {country !== null && ` · ${countryName(country)}`}
      {currency !== null && amountFromMinor !== null && (
        <div className="small">
          {words.from} <Amount minor={amountFromMinor} currency={currency} />
        </div>
      )}
      {currency !== null && amountToMinor !== null && (
        <div className="small">
          {words.to} <Amount minor={amountToMinor} currency={currency} />
        </div>
      )}
    </>
  );
}
