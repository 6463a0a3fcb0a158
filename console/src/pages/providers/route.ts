import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route.ts';

export const providersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers',
  component: lazyRouteComponent(() => import('./page.tsx'), 'ProvidersPage'),
});
