import type { Environment } from '../../access/scope.ts';
import { inTransaction } from '../../db/pool.ts';
import type { Call, OperatorCall } from '../../process/services.ts';
import { requireTenant } from './action.ts';

/** What an operator reads of one tenant. */
export interface OfTenantRead {
  readonly businessId: string;
  readonly environment: Environment;
}

/** The call with which an operator reads what its business may read too. Throws not_found. */
export async function inTenant(
  { services, operator }: OperatorCall,
  { businessId, environment }: OfTenantRead,
): Promise<Call> {
  const scope = await inTransaction(services.pool, (client) =>
    requireTenant(client, operator, businessId, environment),
  );
  return { scope, services };
}
