import { z } from 'zod';
import type { OperatorCall } from '../../process/services.ts';
import { text } from '../../values/fields.ts';
import { parseInput } from '../../values/validate.ts';
import { routingInput } from '../route/input.ts';
import { replaceRoutes } from '../route/replace.ts';
import { readRouting, type Routing } from '../route/store.ts';
import { orderChange, type OperatorChange } from './order-change.ts';

const routingOrder = z.strictObject({
  ...routingInput.shape,
  businessId: text(),
  reason: text(1_000),
});
export type RoutingOrder = z.input<typeof routingOrder>;

/** A list of routes as people compare it. */
const shownOf = ({ version, routes }: Routing): object => ({
  version,
  routes: routes.map(({ tenantId: _tenant, position: _position, ...route }) => ({
    ...route,
    amountFromMinor: route.amountFromMinor?.toString() ?? null,
    amountToMinor: route.amountToMinor?.toString() ?? null,
  })),
});

/** Replaces the routes of a business's production. */
export const routesReplace: OperatorChange<Routing> = {
  kind: 'routes_replace',
  action: 'operatorRoutesReplace',
  told: 'routes_replaced',
  parse: (given) => {
    const { businessId, reason, ...draft } = parseInput(routingOrder, given);
    return {
      businessId,
      reason,
      decides: true,
      apply: async (client, call) => {
        const before = await readRouting(client, call.scope);
        const routing = await replaceRoutes(client, call, draft);
        const { version, routes } = routing;
        return {
          result: routing,
          subjectId: call.scope.businessId,
          detail: { version, routes: routes.map(({ provider }) => provider).join(' ') },
          before: shownOf(before),
          after: shownOf(routing),
        };
      },
    };
  },
};

/**
 * Replaces the routes of a business's production tenant as a whole. An empty list gives everything back to the
 * deployment's first provider. Null where it waits for a second operator. Throws not_found, and as
 * `replaceRoutes`.
 */
export function replaceRoutesByOperator(
  call: OperatorCall,
  given: RoutingOrder,
): Promise<Routing | null> {
  return orderChange(call, routesReplace, given);
}
