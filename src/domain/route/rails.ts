import type { PayoutRoute } from '../../../generated/prisma/client.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { bankSchemes, type BankScheme } from '../../providers/bank-connection.ts';
import { canPay } from '../../providers/capabilities.ts';
import type { FilePayment, FileFault, Rail } from '../../providers/port.ts';
import { takesFiles } from '../../providers/port.ts';
import { openConnection } from '../bank-connection/open.ts';
import { openProvider } from '../provider-connection/open.ts';
import { findProviderConnections } from '../provider-connection/store.ts';
import { findConnections } from '../bank-connection/store.ts';
import { conditionsHold } from './match.ts';
import { readRouting } from './store.ts';

/** A route with what it leads to. */
interface OpenRoute {
  readonly route: PayoutRoute;
  /**
   * Null where its provider is not configured, its connection is closed, or that of a called provider is paused: the route
   * matches, and waits.
   */
  readonly rail: Rail | null;
  /** The connection's own scheme, if the route names one. */
  readonly scheme: BankScheme | null;
}

/** A tenant's routes, ready to choose from. */
export interface Routes {
  readonly version: number;
  readonly list: readonly OpenRoute[];
}

/** Reads the routes of the scope's tenant with what they lead to. */
export async function openRoutes(call: Call, client: Queryable): Promise<Routes> {
  const { version, routes } = await readRouting(client, call.scope);
  return { version, list: await withRails(call, client, routes) };
}

/** Routes with what they lead to, in their order. */
export async function withRails(
  call: Call,
  client: Queryable,
  routes: readonly PayoutRoute[],
): Promise<readonly OpenRoute[]> {
  const { services, scope } = call;
  const ids = [...new Set(routes.flatMap(({ connectionId }) => connectionId ?? []))];
  const connections = ids.length === 0 ? null : await findConnections(client, scope, ids);
  const rails = new Map<string, Rail | null>();
  for (const connection of connections?.values() ?? []) {
    const open = connection.status !== 'closed';
    const rail = open ? services.providers.bank(openConnection(call, connection)) : null;
    rails.set(connection.id, rail);
  }
  const called = ids.filter((id) => connections?.has(id) !== true);
  const accounts = called.length === 0 ? [] : await findProviderConnections(client, scope, called);
  for (const account of accounts) {
    rails.set(account.id, account.status === 'active' ? openProvider(call, account) : null);
  }
  const { providers } = services;
  // Whatever is stored, a sandbox reaches no provider that moves money.
  const reachable = new Set(providers.namesIn(scope.environment));
  const ofDeployment = (name: string) => (reachable.has(name) ? providers.byName(name) : null);
  return routes.map((route) => ({
    route,
    rail:
      route.connectionId === null
        ? ofDeployment(route.provider)
        : (rails.get(route.connectionId) ?? null),
    scheme: bankSchemes.find((scheme) => scheme === route.scheme) ?? null,
  }));
}

/** What becomes of a payment by the routes. */
export type Routed =
  | { readonly kind: 'rail'; readonly rail: Rail; readonly scheme: BankScheme | null }
  /** The first route that matches leads to a bank, whose files cannot hold the payment. */
  | { readonly kind: 'unwritable'; readonly rail: Rail; readonly faults: readonly FileFault[] }
  /** The first route that matches leads to a provider that is not configured, or to a paused connection. */
  | { readonly kind: 'away'; readonly provider: string }
  | { readonly kind: 'none' };

/**
 * The first route that matches a payment. A route to a bank matches only if one of its schemes pays to the
 * country in the currency and amount, and one to a provider that is called only if its capabilities say that it does.
 */
export function choose({ list }: Pick<Routes, 'list'>, payment: FilePayment): Routed {
  const facts = { ...payment, country: payment.destination.country };
  for (const { route, rail, scheme } of list) {
    if (!conditionsHold(route, facts)) continue;
    if (rail === null) return { kind: 'away', provider: route.provider };
    if (!takesFiles(rail)) {
      if (!canPay(rail.capabilities, facts)) continue;
      return { kind: 'rail', rail, scheme: null };
    }
    const judgement = rail.judge(payment, scheme);
    if (judgement.kind === 'writable') return { kind: 'rail', rail, scheme: judgement.scheme };
    if (judgement.kind === 'unwritable') {
      return { kind: 'unwritable', rail, faults: judgement.faults };
    }
  }
  return { kind: 'none' };
}
