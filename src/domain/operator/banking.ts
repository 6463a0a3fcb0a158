import type { BankConnection } from '../../../generated/prisma/client.ts';
import type { Environment } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import type { OperatorCall } from '../../process/services.ts';
import { listConnections } from '../bank-connection/store.ts';
import { readRouting, type Routing } from '../route/store.ts';
import { requireTenant } from './action.ts';

/** The connections and the routes of one tenant. */
export interface Banking {
  readonly connections: readonly BankConnection[];
  readonly routing: Routing;
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
    return { connections, routing: await readRouting(client, scope) };
  });
}
