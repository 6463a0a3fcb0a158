import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route.ts';
import { listSearch } from './filters.ts';

export const payoutsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payouts',
  validateSearch: listSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'PayoutsPage'),
});
