import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textOf, wordOf } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';
import { activityKinds, type ActivityChoice } from './choice.ts';

export const activityRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/activity',
  validateSearch: (search): ActivityChoice & { after?: string } => {
    const kind = wordOf(activityKinds, search['kind']);
    const [since, until, after] = [search['since'], search['until'], search['after']].map(textOf);
    return {
      ...(kind === undefined ? {} : { kind }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      ...(after === undefined ? {} : { after }),
    };
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'ActivityPage'),
});
