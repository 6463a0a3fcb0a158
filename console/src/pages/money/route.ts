import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf, wordOf, type ListPlace } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';
import { texts } from '../../texts/texts.ts';

export type EntryKind = keyof typeof texts.money.kinds;

const kinds = Object.keys(texts.money.kinds) as EntryKind[]; // an object's keys are its type's

/** Which entries the page lists. */
export interface EntryChoice {
  readonly kind?: EntryKind;
}

export const moneyRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/money',
  validateSearch: (search): ListPlace & EntryChoice => {
    const kind = wordOf(kinds, search['kind']);
    return { ...placeOf(search), ...(kind === undefined ? {} : { kind }) };
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'MoneyPage'),
});
