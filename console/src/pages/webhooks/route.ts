import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf, wordOf, type Place } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';
import { texts } from '../../texts/en.ts';

type Status = keyof typeof texts.webhooks.states;
const statuses = Object.keys(texts.webhooks.states) as Status[];

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: (search): Place & { status?: Status } => {
    const status = wordOf(statuses, search['status']);
    return { ...placeOf(search), ...(status === undefined ? {} : { status }) };
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'WebhooksPage'),
});

export const deliveryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/deliveries/$id',
  component: lazyRouteComponent(() => import('./delivery.tsx'), 'DeliveryPage'),
});
