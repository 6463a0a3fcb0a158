import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';

export const keysRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/keys',
  validateSearch: placeOf,
  component: lazyRouteComponent(() => import('./page.tsx'), 'KeysPage'),
});
