import { createRouter } from '@tanstack/react-router';
import { overviewRoute } from './pages/overview/route.ts';
import { signInRoute } from './pages/sign-in/route.ts';
import { Loading } from './parts/loading.tsx';
import { rootRoute } from './app/root-route.tsx';
import { shellRoute } from './app/shell-route.ts';

/** Every page has a line here; those of the shell need a session. */
const routeTree = rootRoute.addChildren([signInRoute, shellRoute.addChildren([overviewRoute])]);

export const router = createRouter({
  routeTree,
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
