import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { textsOf, wordOf } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';

const environments = ['production', 'sandbox'] as const;
type Environment = (typeof environments)[number];

/** Which tenant of a business; production unless the address says the other. */
const tenantOf = (search: Record<string, unknown>): { environment: Environment } => ({
  environment: wordOf(environments, search['environment']) ?? 'production',
});

const businessRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/businesses/$id',
  validateSearch: (search): { after?: string } => textsOf(search, ['after']),
  component: lazyRouteComponent(() => import('./page.tsx'), 'OperatorBusinessPage'),
});

const banksRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/businesses/$id/banks',
  validateSearch: tenantOf,
  component: lazyRouteComponent(() => import('./banks.tsx'), 'OperatorBusinessBanksPage'),
});

const connectRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/businesses/$id/banks/new',
  component: lazyRouteComponent(() => import('./connect.tsx'), 'OperatorConnectBankPage'),
});

const connectionRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/businesses/$id/banks/$connection',
  validateSearch: (
    search,
  ): { environment: Environment; batches?: string; files?: string; change?: string } => ({
    ...tenantOf(search),
    ...textsOf(search, ['batches', 'files', 'change']),
  }),
  component: lazyRouteComponent(() => import('./connection.tsx'), 'OperatorConnectionPage'),
});

const connectProviderRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/businesses/$id/accounts/new',
  component: lazyRouteComponent(
    () => import('./connect-provider.tsx'),
    'OperatorConnectProviderPage',
  ),
});

const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/businesses/$id/accounts/$connection',
  validateSearch: tenantOf,
  component: lazyRouteComponent(() => import('./account.tsx'), 'OperatorProviderAccountPage'),
});

const monthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/businesses/$id/month',
  validateSearch: (search): { environment: Environment; month?: string } => ({
    ...tenantOf(search),
    ...textsOf(search, ['month']),
  }),
  component: lazyRouteComponent(() => import('./month.tsx'), 'OperatorBankMonthPage'),
});

/** The pages of operators about one business. */
export const operatorBusinessRoutes = [
  businessRoute,
  banksRoute,
  connectRoute,
  connectionRoute,
  connectProviderRoute,
  accountRoute,
  monthRoute,
] as const;
