import { requirePermission } from '../../access/scope.ts';
import type { Call } from '../../process/services.ts';
import { bankProviderName, type BankScheme } from '../../providers/bank-connection.ts';
import type { Ability, PaidScheme } from '../../providers/capabilities.ts';
import { listConnections, type BankConnection } from '../bank-connection/store.ts';
import { openProvider } from '../provider-connection/open.ts';
import { listProviderConnections, type ProviderConnection } from '../provider-connection/store.ts';

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
  call: Pick<Call, 'scope' | 'services'>,
  connections: readonly BankConnection[],
  accounts: readonly ProviderConnection[],
): Payer[] {
  const { providers } = call.services;
  const { environment } = call.scope;
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
  const own = accounts
    .filter(({ status }) => status !== 'closed')
    .map((account): Payer => {
      const { name, capabilities } = openProvider(call, account);
      const { id: connectionId, name: connectionName } = account;
      const { pays, can } = capabilities;
      return { name, connectionId, connectionName, pays, ...can };
    });
  return [...called, ...banks, ...own];
}

/** To whom the routes of the scope's tenant may lead. Throws forbidden. */
export async function listPayers(call: Call): Promise<Payer[]> {
  const { scope, services } = call;
  requirePermission(scope, 'read');
  const banks = await listConnections(services.pool, scope);
  return payersOf(call, banks, await listProviderConnections(services.pool, scope));
}
