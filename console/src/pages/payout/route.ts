import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route.ts';

export const payoutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payouts/$id',
  component: lazyRouteComponent(() => import('./page.tsx'), 'PayoutPage'),
});
