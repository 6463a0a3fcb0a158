import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf, wordOf } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';
import { rowStatuses } from './statuses.ts';

export const batchesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payouts/batches',
  validateSearch: placeOf,
  component: lazyRouteComponent(() => import('./page.tsx'), 'BatchesPage'),
});

export const batchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payouts/batches/$id',
  validateSearch: (search: Record<string, unknown>) => {
    const status = wordOf(rowStatuses, search['status']);
    return { ...placeOf(search), ...(status === undefined ? {} : { status }) };
  },
  component: lazyRouteComponent(() => import('./batch.tsx'), 'BatchPage'),
});
