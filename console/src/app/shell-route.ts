import { createRoute } from '@tanstack/react-router';
import { rootRoute } from './root-route.tsx';
import { Shell } from './shell.tsx';

/** The parent of every page that needs a session. */
export const shellRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'shell',
  component: Shell,
});
