import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf, wordOf, type ListPlace } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';
import { entryKinds, type EntryChoice } from './entry-choice.ts';

export const moneyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/money',
  validateSearch: (search): ListPlace & EntryChoice => {
    const kind = wordOf(entryKinds, search['kind']);
    return { ...placeOf(search), ...(kind === undefined ? {} : { kind }) };
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'MoneyPage'),
});
