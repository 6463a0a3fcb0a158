import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route.ts';
import { ranges, type Days } from './range.ts';

interface OverviewSearch {
  readonly days?: Days;
  /** The currency of the picture; the one of most payouts without it. */
  readonly currency?: string;
}

export const overviewRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/',
  validateSearch: ({ days, currency }: Record<string, unknown>): OverviewSearch => {
    const range = ranges.find((known) => known === days);
    return {
      ...(range === undefined ? {} : { days: range }),
      ...(typeof currency === 'string' && /^[A-Z]{3}$/.test(currency) ? { currency } : {}),
    };
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'OverviewPage'),
});
