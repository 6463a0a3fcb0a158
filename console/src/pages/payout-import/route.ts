import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route.ts';

export const importRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payouts/import',
  component: lazyRouteComponent(() => import('./page.tsx'), 'ImportPage'),
});
