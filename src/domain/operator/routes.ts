import { z } from 'zod';
import { inTransaction } from '../../db/pool.ts';
import type { OperatorCall } from '../../process/services.ts';
import { text } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import { routingInput } from '../route/input.ts';
import { replaceRoutes } from '../route/replace.ts';
import type { Routing } from '../route/store.ts';
import { recordAction, requireTenant } from './action.ts';

const routingOrder = z.strictObject({
  ...routingInput.shape,
  businessId: text(),
  reason: text(1_000),
});
export type RoutingOrder = z.input<typeof routingOrder>;

/**
 * Replaces the routes of a business's production tenant as a whole. An empty list gives everything back to the
 * deployment's first provider. Throws not_found, and as `replaceRoutes`.
 */
export async function replaceRoutesByOperator(
  call: OperatorCall,
  given: RoutingOrder,
): Promise<Routing> {
  const { businessId, reason, ...draft } = parseInput(routingOrder, given);
  const { services, operator } = call;
  return inTransaction(services.pool, async (client) => {
    const scope = await requireTenant(client, operator, businessId, 'production');
    const routing = await replaceRoutes(client, { scope, services }, draft);
    await recordAction(client, operator, {
      action: 'operatorRoutesReplace',
      businessId,
      environment: 'production',
      subjectId: businessId,
      reason,
      detail: {
        version: routing.version,
        routes: routing.routes.map(({ provider }) => provider).join(' '),
      },
    });
    return routing;
  });
}
