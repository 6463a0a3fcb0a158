import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf, textsOf, type ListPlace } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';

const banksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/banks',
  component: lazyRouteComponent(() => import('./page.tsx'), 'BanksPage'),
});

const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/banks/new',
  component: lazyRouteComponent(() => import('./connect.tsx'), 'ConnectBankPage'),
});

const connectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/banks/connections/$id',
  validateSearch: placeOf,
  component: lazyRouteComponent(() => import('./connection.tsx'), 'BankConnectionPage'),
});

const routesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/banks/routes',
  component: lazyRouteComponent(() => import('./routes.tsx'), 'BankRoutesPage'),
});

const filesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/banks/files',
  validateSearch: (search): ListPlace & { files?: string } => ({
    ...placeOf(search),
    ...textsOf(search, ['files']),
  }),
  component: lazyRouteComponent(() => import('./files.tsx'), 'BankFilesPage'),
});

const batchRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/banks/batches/$id',
  validateSearch: (search): { behind?: string } => textsOf(search, ['behind']),
  component: lazyRouteComponent(() => import('./batch.tsx'), 'BankBatchPage'),
});

const deskRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/banks/desk',
  validateSearch: (search): ListPlace & { missing?: string; accounts?: string } => ({
    ...placeOf(search),
    ...textsOf(search, ['missing', 'accounts']),
  }),
  component: lazyRouteComponent(() => import('./desk.tsx'), 'BankDeskPage'),
});

const monthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/banks/month',
  validateSearch: (search): { month?: string } => textsOf(search, ['month']),
  component: lazyRouteComponent(() => import('./month.tsx'), 'BankMonthPage'),
});

/** The pages of a business about its banks. */
export const bankRoutes = [
  banksRoute,
  connectRoute,
  connectionRoute,
  routesRoute,
  filesRoute,
  batchRoute,
  deskRoute,
  monthRoute,
] as const;
