import type { BankFetch } from '../../../generated/prisma/client.ts';
import type { Environment } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import type { OperatorCall } from '../../process/services.ts';
import { listConnections, type BankConnection } from '../bank-connection/store.ts';
import { findFetches } from '../bank-file/fetch-store.ts';
import { listAccountProviders, type AccountProvider } from '../provider-connection/shown.ts';
import { listProviderConnections, type ProviderConnection } from '../provider-connection/store.ts';
import { payersOf, type Payer } from '../route/payers.ts';
import { readRouting, type Routing } from '../route/store.ts';
import { requireTenant } from './action.ts';

/** A connection, with what the latest look for its bank's files came to; null before the first one. */
export interface OperatedConnection extends BankConnection {
  readonly fetch: BankFetch | null;
}

/** The connections and the routes of one tenant. */
export interface Banking {
  readonly connections: readonly OperatedConnection[];
  readonly routing: Routing;
  readonly payers: readonly Payer[];
  /** Those to providers that are called. */
  readonly accounts: readonly ProviderConnection[];
  readonly providers: readonly AccountProvider[];
}

/** What an operator has to know of a tenant before they change its connections or routes. Throws not_found. */
export function readBanking(
  call: OperatorCall,
  businessId: string,
  environment: Environment,
): Promise<Banking> {
  return inTransaction(call.services.pool, async (client) => {
    const scope = await requireTenant(client, call.operator, businessId, environment);
    const connections = await listConnections(client, scope);
    const accounts = await listProviderConnections(client, scope);
    const ids = connections.map(({ id }) => id);
    const fetches = await findFetches(client, scope, ids);
    return {
      connections: connections.map((row) => ({ ...row, fetch: fetches.get(row.id) ?? null })),
      routing: await readRouting(client, scope),
      payers: payersOf({ scope, services: call.services }, connections, accounts),
      accounts,
      providers: listAccountProviders(),
    };
  });
}
