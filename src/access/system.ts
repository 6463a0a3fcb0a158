import type { Pool } from 'pg';
import { firstRow, platformStatement } from '../db/pool.ts';
import { makeScope, type Actor, type Environment, type Scope } from './scope.ts';

const tenantById = platformStatement({
  name: 'tenant_by_id',
  text: 'SELECT business_id, environment FROM tenant WHERE id = $1',
});

const known = new Map<string, { businessId: string; environment: Environment }>();

type JobActor = Exclude<Actor, { type: 'member' }>;

/**
 * The scope of somebody whose order a job carries out in the tenant of `scope`, so that what it makes is theirs.
 * @param actor as the order has it
 */
export const onOrderOf = ({ tenantId, businessId, environment }: Scope, actor: Actor): Scope =>
  makeScope({ tenantId, businessId, environment, actor });

/** As `findJobScope`, for a tenant that must be there; throws when it is not. */
export async function jobScope(pool: Pool, tenantId: string, actor: JobActor): Promise<Scope> {
  const scope = await findJobScope(pool, tenantId, actor);
  if (scope === null) throw new Error(`no tenant ${tenantId}`);
  return scope;
}

/**
 * The scope in which a job works for a tenant: the service itself, a provider whose event it
 * applies, or an operator whose order it carries out. A tenant's business and environment never
 * change, so they are read once for a process. Null when there is no such tenant.
 */
export async function findJobScope(
  pool: Pool,
  tenantId: string,
  actor: JobActor,
): Promise<Scope | null> {
  let tenant = known.get(tenantId);
  if (tenant === undefined) {
    const row = await firstRow<{ business_id: string; environment: Environment }>(
      pool,
      tenantById,
      [tenantId],
    );
    if (row === null) return null;
    tenant = { businessId: row.business_id, environment: row.environment };
    known.set(tenantId, tenant);
  }
  return makeScope({ tenantId, ...tenant, actor });
}
