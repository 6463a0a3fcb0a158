import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route.ts';
import { pageSearch } from '../payouts/address.ts';

export const approvalsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/approvals',
  validateSearch: pageSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'ApprovalsPage'),
});
