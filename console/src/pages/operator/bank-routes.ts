import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf, textOf, type Place } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';

const banksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/banks',
  validateSearch: (search): Place & { connections?: string } => {
    const connections = textOf(search['connections']);
    return { ...placeOf(search), ...(connections === undefined ? {} : { connections }) };
  },
  component: lazyRouteComponent(() => import('./banks.tsx'), 'BanksPage'),
});

/** The pages of operators about banks. */
export const operatorBankRoutes = [banksRoute] as const;
