import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { shellRoute } from '../../app/shell-route.ts';
import { textOf } from '../payouts/address.ts';

interface NewPayoutAddress {
  /** The failed or returned payout that the new one replaces. */
  readonly replaces?: string;
  /** The payee, by id. */
  readonly payee?: string;
  /** Where it goes, by the id of the account. */
  readonly account?: string;
}

function newPayoutSearch(given: Record<string, unknown>): NewPayoutAddress {
  const [replaces, payee] = [textOf(given['replaces']), textOf(given['payee'])];
  const account = textOf(given['account']);
  return {
    ...(replaces === undefined ? {} : { replaces }),
    ...(payee === undefined ? {} : { payee }),
    ...(account === undefined ? {} : { account }),
  };
}

export const newPayoutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payouts/new',
  validateSearch: newPayoutSearch,
  component: lazyRouteComponent(() => import('./page.tsx'), 'NewPayoutPage'),
});
