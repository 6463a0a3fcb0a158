import { Prisma, type PayoutRoute } from '../../../generated/prisma/client.ts';
import type { Scope } from '../../access/scope.ts';
import { columns } from '../../db/columns.ts';
import { named } from '../../db/named.ts';
import { rows, type Queryable } from '../../db/pool.ts';

/** A tenant's list of routes, in their order. */
export interface Routing {
  /** Counts the changes; 0 where there never was one. */
  readonly version: number;
  readonly routes: readonly PayoutRoute[];
}

const routing = named(
  'payout_routing',
  ['tenant'],
  `
    SELECT g.version AS "listVersion", ${columns(Prisma.PayoutRouteScalarFieldEnum, 'r')}
    FROM payout_routing g LEFT JOIN payout_route r ON r.tenant_id = @tenant
    WHERE g.tenant_id = @tenant
    ORDER BY r.position`,
);

/** The routes of the scope's tenant; none where the deployment's provider pays everything. */
export async function readRouting(
  client: Queryable,
  { tenantId: tenant }: Scope,
): Promise<Routing> {
  type Row = PayoutRoute & { readonly listVersion: number };
  const found = await rows<Row>(client, routing, routing.of({ tenant }));
  const [first] = found;
  if (first === undefined) return { version: 0, routes: [] };
  const { listVersion: version } = first;
  // PostgreSQL returns null columns where there is no route, whatever the row type says.
  const routes = found
    .filter((row) => (row.position as number | null) !== null)
    .map(({ listVersion: _version, ...route }) => route);
  return { version, routes };
}
