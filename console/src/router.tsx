import { createRouter, parseSearchWith } from '@tanstack/react-router';
import { activityRoute } from './pages/activity/route.ts';
import { approvalsRoute } from './pages/approvals/route.ts';
import { overviewRoute } from './pages/overview/route.ts';
import { sessionsRoute } from './pages/sessions/route.ts';
import { batchesRoute, batchRoute } from './pages/batches/route.ts';
import { importRoute } from './pages/payout-import/route.ts';
import { newPayoutRoute } from './pages/payout-new/route.ts';
import { payoutRoute } from './pages/payout/route.ts';
import { payoutsRoute } from './pages/payouts/route.ts';
import { signInRoute } from './pages/sign-in/route.ts';
import { bankRoutes } from './pages/banks/route.ts';
import { exportsRoute } from './pages/exports/route.ts';
import { screeningRoute } from './pages/screening/route.ts';
import { keysRoute } from './pages/keys/route.ts';
import { membersRoute } from './pages/members/route.ts';
import { operatorBankRoutes } from './pages/operator/bank-routes.ts';
import { operatorBusinessRoutes } from './pages/operator-business/route.ts';
import { operatorRoutes } from './pages/operator/routes.ts';
import { moneyRoute } from './pages/money/route.ts';
import {
  accountAddRoute,
  accountRoute,
  payeeAddRoute,
  payeeEditRoute,
  payeeRoute,
  payeesRoute,
} from './pages/payees/route.ts';
import { policyEditRoute, policyRoute } from './pages/policy/route.ts';
import { providerRoutes } from './pages/providers/route.ts';
import { settingsRoute } from './pages/settings/route.ts';
import { deliveryRoute, webhooksRoute } from './pages/webhooks/route.ts';
import { Loading } from './parts/loading.tsx';
import { rootRoute } from './app/root-route.tsx';
import { shellRoute } from './app/shell-route.ts';

/** Every page has a line here; those of the shell need a session. */
const routeTree = rootRoute.addChildren([
  signInRoute,
  shellRoute.addChildren([
    overviewRoute,
    approvalsRoute,
    payoutsRoute,
    newPayoutRoute,
    importRoute,
    batchesRoute,
    batchRoute,
    payoutRoute,
    sessionsRoute,
    payeesRoute,
    payeeAddRoute,
    payeeRoute,
    payeeEditRoute,
    accountAddRoute,
    accountRoute,
    moneyRoute,
    activityRoute,
    ...bankRoutes,
    webhooksRoute,
    deliveryRoute,
    exportsRoute,
    screeningRoute,
    membersRoute,
    keysRoute,
    ...providerRoutes,
    settingsRoute,
    policyRoute,
    policyEditRoute,
    ...operatorRoutes,
    ...operatorBankRoutes,
    ...operatorBusinessRoutes,
  ]),
]);

/** What a number would lose digits of stays a text: it is somebody's reference or id. */
const parseSearch = parseSearchWith((text) => {
  const value: unknown = JSON.parse(text);
  return typeof value === 'number' ? text : value;
});

export const router = createRouter({
  routeTree,
  parseSearch,
  basepath: '/console',
  defaultPreload: 'intent',
  defaultPendingComponent: Loading,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
