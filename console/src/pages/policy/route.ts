import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route.ts';

export const policyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/policy',
  component: lazyRouteComponent(() => import('./page.tsx'), 'PolicyPage'),
});

export const policyEditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/policy/edit',
  component: lazyRouteComponent(() => import('./edit-page.tsx'), 'PolicyEditPage'),
});
