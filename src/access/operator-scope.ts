import { firstRow, platformStatement, type Queryable } from '../db/pool.ts';
import { makeScope, type Environment, type OperatorScope, type Scope } from './scope.ts';

const tenantOfBusiness = platformStatement({
  name: 'tenant_of_business',
  text: 'SELECT id FROM tenant WHERE business_id = $1 AND environment = $2',
});

/**
 * The scope in which an operator's command touches one tenant; null when there is no such business.
 * The actor in it is the operator, so that what is written names them.
 */
export async function operatorTenant(
  client: Queryable,
  { operator }: OperatorScope,
  businessId: string,
  environment: Environment,
): Promise<Scope | null> {
  const row = await firstRow<{ id: string }>(client, tenantOfBusiness, [businessId, environment]);
  if (row === null) return null;
  return makeScope({ tenantId: row.id, businessId, environment, actor: operator });
}
