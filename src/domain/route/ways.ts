import type { Payout } from '../../../generated/prisma/client.ts';
import type { Queryable } from '../../db/pool.ts';
import type { Call } from '../../process/services.ts';
import { connectionOfProvider } from '../../providers/bank-connection.ts';
import type { Rail } from '../../providers/port.ts';
import { openConnection } from '../bank-connection/open.ts';
import { findConnection } from '../bank-connection/store.ts';
import { providerNamed } from '../provider-connection/open.ts';
import { describePayments } from './payments.ts';
import { choose, openRoutes, type Routed } from './rails.ts';

/** Where payouts of a tenant without routes go. */
export function defaultWay({ scope, services }: Call): Routed {
  const rail = services.providers.forEnvironment(scope.environment);
  return rail === null ? { kind: 'none' } : { kind: 'rail', rail, scheme: null };
}

/**
 * Where payouts go by the routes as they are now, by the payouts' ids. For payouts that nobody has yet: one
 * that was handed over stays where it is. Without routes the deployment's provider pays.
 */
export async function waysOf(
  call: Call,
  client: Queryable,
  payouts: readonly Payout[],
): Promise<ReadonlyMap<string, Routed>> {
  const routes = await openRoutes(call, client);
  if (routes.list.length === 0) {
    const way = defaultWay(call);
    return new Map(payouts.map(({ id }) => [id, way]));
  }
  const sources = payouts.map((payout) => ({ ...payout, version: payout.bankAccountVersion }));
  const described = await describePayments(call, client, sources);
  const ways = payouts.map(({ id }, index): [string, Routed] => {
    const payment = described[index]?.payment;
    return [id, payment === undefined ? { kind: 'none' } : choose(routes, payment)];
  });
  return new Map(ways);
}

/** An account of a beneficiary. */
interface RoutedAccount {
  readonly id: string;
  readonly version: number;
  readonly beneficiaryId: string;
  readonly currency: string;
}

/** Where payouts to an account go, whatever their amount: the first route whose other conditions hold. */
export async function wayTo(
  call: Call,
  client: Queryable,
  { id, version, beneficiaryId, currency }: RoutedAccount,
): Promise<Routed> {
  const routes = await openRoutes(call, client);
  if (routes.list.length === 0) return defaultWay(call);
  const [described] = await describePayments(call, client, [
    {
      beneficiaryId,
      bankAccountId: id,
      version,
      currency,
      amountMinor: 1n,
      purposeOfPayment: 'other',
    },
  ]);
  if (described === undefined || described === null) return { kind: 'none' };
  return choose({ ...routes, list: routes.list.map(withoutAmounts) }, described.payment);
}

type OpenRoute = Parameters<typeof choose>[0]['list'][number];

function withoutAmounts(one: OpenRoute): OpenRoute {
  return { ...one, route: { ...one.route, amountFromMinor: null, amountToMinor: null } };
}

/** The rail of that name, as payouts, attempts and enrollments have it; null where it is not configured. */
export async function railNamed(call: Call, name: string): Promise<Rail | null> {
  const { services, scope } = call;
  const connectionId = connectionOfProvider(name);
  if (connectionId === null) return providerNamed(call, services.pool, name);
  const connection = await findConnection(services.pool, scope, connectionId);
  if (connection === null || connection.status === 'closed') return null;
  return services.providers.bank(openConnection(call, connection));
}
