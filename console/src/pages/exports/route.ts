import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';

export const exportsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/exports',
  validateSearch: placeOf,
  component: lazyRouteComponent(() => import('./page.tsx'), 'ExportsPage'),
});
