import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';

export const membersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/members',
  validateSearch: placeOf,
  component: lazyRouteComponent(() => import('./page.tsx'), 'MembersPage'),
});
