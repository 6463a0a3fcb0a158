import type { z } from 'zod';
import { Prisma, type Payout, type PayoutRoute } from '../../../generated/prisma/client.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows } from '../../db/pool.ts';
import { invalid } from '../../errors/domain-error.ts';
import type { Call } from '../../process/services.ts';
import { bankProviderName, connectionOfProvider } from '../../providers/bank-connection.ts';
import { parseInput } from '../../values/validate.ts';
import { findConnections } from '../bank-connection/store.ts';
import { routingInput, type RoutingDraft } from './input.ts';
import { describePayments } from './payments.ts';
import { choose, openRoutes, withRails, type Routed } from './rails.ts';
import { defaultWay } from './ways.ts';

/** So many of the latest payouts are looked at. */
const previewed = 100;

const latestPayouts = named(
  'payouts_for_route_preview',
  ['tenant', 'take'],
  `
    SELECT ${columns(Prisma.PayoutScalarFieldEnum, 'p')} FROM payout p
    WHERE p.tenant_id = @tenant AND p.state NOT IN ('rejected', 'canceled')
    ORDER BY p.id DESC LIMIT @take::integer`,
);

/** Where a payout goes. */
export interface ShownWay {
  readonly kind: Routed['kind'];
  /** Name of the provider; null where the payout goes nowhere. */
  readonly provider: string | null;
  readonly connectionId: string | null;
  readonly scheme: string | null;
  /** Why the files of the bank cannot hold such a payment, one sentence for each reason. */
  readonly problems: readonly string[];
}

/** Payouts of one currency that have one way now and one way by the routes that are tried. */
export interface RoutedPayouts {
  readonly currency: string;
  readonly count: number;
  /** Minor units of `currency`. */
  readonly amountMinor: bigint;
  readonly before: ShownWay;
  readonly after: ShownWay;
  /** The latest of them. */
  readonly payoutId: string;
}

const draft = routingInput.pick({ routes: true });
export type RoutesToPreview = z.input<typeof draft>;

function shown(way: Routed): ShownWay {
  const none = { provider: null, connectionId: null, scheme: null, problems: [] };
  if (way.kind === 'none') return { ...none, kind: 'none' };
  const provider = way.kind === 'away' ? way.provider : way.rail.name;
  return {
    ...none,
    kind: way.kind,
    provider,
    connectionId: connectionOfProvider(provider),
    ...(way.kind === 'rail' && { scheme: way.scheme }),
    ...(way.kind === 'unwritable' && {
      problems: [...new Set(way.faults.map(({ message }) => message))],
    }),
  };
}

/** The routes as they would be stored. Throws validation_failed for a connection that is not the tenant's, or closed. */
async function routesOf(call: Call, { routes }: Pick<RoutingDraft, 'routes'>) {
  const { scope, services } = call;
  const ids = routes.flatMap(({ connectionId }) => connectionId ?? []);
  const found = await findConnections(services.pool, scope, ids);
  const faults = routes.flatMap(({ connectionId }, index) => {
    const isOpen =
      connectionId === null || (found.get(connectionId)?.status ?? 'closed') !== 'closed';
    const message = 'Must be an open bank connection of the tenant.';
    return isOpen
      ? []
      : [{ field: `routes[${index}].connectionId`, code: 'invalid_value', message } as const];
  });
  if (faults.length > 0) throw invalid(faults);
  return routes.map((route, index): PayoutRoute => ({
    ...route,
    tenantId: scope.tenantId,
    position: index + 1,
    provider:
      route.connectionId === null ? (route.provider ?? '') : bankProviderName(route.connectionId),
  }));
}

/**
 * Tells where the latest 100 payouts of the tenant go by its routes, and where they would go by others, grouped by both
 * ways and the currency. Nothing is changed. Throws validation_failed.
 */
export async function previewRoutes(call: Call, given: RoutesToPreview): Promise<RoutedPayouts[]> {
  const { scope, services } = call;
  const { pool } = services;
  const asked = await routesOf(call, parseInput(draft, given));
  const values = latestPayouts.of({ tenant: scope.tenantId, take: previewed });
  const payouts = await rows<Payout>(pool, latestPayouts, values);
  const sources = payouts.map((payout) => ({ ...payout, version: payout.bankAccountVersion }));
  const described = await describePayments(call, pool, sources);
  const current = await openRoutes(call, pool);
  const tried = { list: await withRails(call, pool, asked) };
  const wayBy = ({ list }: Pick<typeof current, 'list'>, index: number): ShownWay => {
    if (list.length === 0) return shown(defaultWay(call));
    const payment = described[index]?.payment;
    return shown(payment === undefined ? { kind: 'none' } : choose({ list }, payment));
  };
  const looked = payouts.map((payout, index) => ({
    payout,
    before: wayBy(current, index),
    after: wayBy(tried, index),
  }));
  const groups = Map.groupBy(looked, ({ payout, before, after }) =>
    JSON.stringify([payout.currency, before, after]),
  );
  return [...groups.values()].flatMap((own): RoutedPayouts[] => {
    const [first] = own;
    if (first === undefined) return [];
    const { payout, before, after } = first;
    const amountMinor = own.reduce((sum, one) => sum + one.payout.amountMinor, 0n);
    const { currency, id: payoutId } = payout;
    return [{ currency, count: own.length, amountMinor, before, after, payoutId }];
  });
}
