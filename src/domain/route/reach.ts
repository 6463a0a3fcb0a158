import type { Queryable } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { bankSchemes } from '../../providers/bank-connection.ts';
import { canPay } from '../../providers/capabilities.ts';
import type { ProviderPort } from '../../providers/port.ts';
import { findConnections, type BankConnection } from '../bank-connection/store.ts';
import { openProvider } from '../provider-connection/open.ts';
import { findProviderConnections } from '../provider-connection/store.ts';
import { conditionsHold } from './match.ts';
import { readRouting, type Routing } from './store.ts';
import { defaultWay } from './ways.ts';

/** What an account is reached by: the country of its bank, and its currency. */
export interface Reached {
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** ISO 4217. */
  readonly currency: string;
}

type Route = Routing['routes'][number];

/** Whether a route could pay anything there, whatever the amount. One to a closed connection matches too: its payouts wait. */
function pays(
  { services }: Call,
  route: Route,
  connection: BankConnection | null,
  called: ProviderPort | null,
  { country, currency }: Reached,
): boolean {
  const smallest = { country, currency, amountMinor: 1n };
  const anyAmount = { ...route, amountFromMinor: null, amountToMinor: null };
  if (!conditionsHold(anyAmount, smallest)) return false;
  if (connection === null) return called === null || canPay(called.capabilities, smallest);
  if (connection.status === 'closed') return true;
  return bankSchemes.some(
    (scheme) =>
      connection.schemes.includes(scheme) &&
      (route.scheme ?? scheme) === scheme &&
      services.providers.schemeReaches(scheme, smallest),
  );
}

/**
 * Tells where the tenant's routes, as they are now, could pay at all: two statements, and one for a tenant without
 * routes, whose payouts go to the deployment's provider. What they say of one payout depends on more (`choose`).
 */
export async function readReach(
  call: Call,
  client: Queryable,
): Promise<(account: Reached) => boolean> {
  const { routes } = await readRouting(client, call.scope);
  if (routes.length === 0) {
    const isPaid = defaultWay(call).kind !== 'none';
    return () => isPaid;
  }
  const ids = [...new Set(routes.flatMap(({ connectionId }) => connectionId ?? []))];
  const connections = await findConnections(client, call.scope, ids);
  const connectionOf = ({ connectionId }: Route) =>
    connectionId === null ? null : (connections.get(connectionId) ?? null);
  const others = ids.filter((id) => !connections.has(id));
  const accounts =
    others.length === 0 ? [] : await findProviderConnections(client, call.scope, others);
  const providers = new Map(accounts.map((account) => [account.id, openProvider(call, account)]));
  const calledOf = ({ connectionId, provider }: Route) =>
    connectionId === null
      ? call.services.providers.byName(provider)
      : (providers.get(connectionId) ?? null);
  return (account) =>
    routes.some((route) => pays(call, route, connectionOf(route), calledOf(route), account));
}
