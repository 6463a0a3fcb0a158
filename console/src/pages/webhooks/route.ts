import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route.ts';
import { deliveriesSearch } from './address.ts';

export const webhooksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks',
  validateSearch: deliveriesSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'WebhooksPage'),
});

export const deliveryRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/webhooks/deliveries/$id',
  component: lazyRouteComponent(() => import('./delivery.tsx'), 'DeliveryPage'),
});
