import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf, wordOf, type ListPlace } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';
import { hitStatuses, type HitChoice } from './hit-choice.ts';

export const screeningRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/screening',
  validateSearch: (search): ListPlace & HitChoice => {
    const status = wordOf(hitStatuses, search['status']);
    return { ...placeOf(search), ...(status === undefined ? {} : { status }) };
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'ScreeningPage'),
});
