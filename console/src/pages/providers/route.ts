import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route.ts';

const providersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers',
  component: lazyRouteComponent(() => import('./page.tsx'), 'ProvidersPage'),
});

const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers/new',
  component: lazyRouteComponent(() => import('./connect.tsx'), 'ConnectProviderPage'),
});

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/providers/accounts/$id',
  component: lazyRouteComponent(() => import('./account.tsx'), 'ProviderAccountPage'),
});

/** The pages of a business about those who can pay for it. */
export const providerRoutes = [providersRoute, connectRoute, accountRoute] as const;
