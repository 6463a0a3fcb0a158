import type { BankConnection } from '../../../generated/prisma/client.ts';
import { requirePermission, type Environment } from '../../access/scope.ts';
import type { Call, Services } from '../../process/services.ts';
import { bankProviderName, type BankScheme } from '../../providers/bank-connection.ts';
import type { Ability, PaidScheme } from '../../providers/capabilities.ts';
import { listConnections } from '../bank-connection/store.ts';

/** Whoever a route may lead to, with what it pays and can do. */
export interface Payer extends Readonly<Record<Ability, boolean>> {
  /** As routes, payouts and attempts have it. */
  readonly name: string;
  /** Null for a provider of the deployment. */
  readonly connectionId: string | null;
  /** How people call the connection. */
  readonly connectionName: string | null;
  readonly pays: readonly PaidScheme[];
}

/** To whom routes of an environment may lead: its providers that are called, and the connections that are not closed. */
export function payersOf(
  { providers }: Services,
  environment: Environment,
  connections: readonly BankConnection[],
): Payer[] {
  const called = providers.namesIn(environment).flatMap((name): Payer[] => {
    const capabilities = providers.byName(name)?.capabilities;
    if (capabilities === undefined) return [];
    const { pays, can } = capabilities;
    return [{ name, connectionId: null, connectionName: null, pays, ...can }];
  });
  const banks = connections
    .filter(({ status }) => status !== 'closed')
    .map(({ id, name: connectionName, schemes, maxPayments }): Payer => {
      // A CHECK constraint of the column admits no others.
      const offered = schemes as BankScheme[];
      const { pays, can } = providers.bankCapabilities({ schemes: offered, maxPayments });
      return { name: bankProviderName(id), connectionId: id, connectionName, pays, ...can };
    });
  return [...called, ...banks];
}

/** To whom the routes of the scope's tenant may lead. Throws forbidden. */
export async function listPayers({ scope, services }: Call): Promise<Payer[]> {
  requirePermission(scope, 'read');
  return payersOf(services, scope.environment, await listConnections(services.pool, scope));
}
