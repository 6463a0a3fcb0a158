import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route.tsx';

interface SignInSearch {
  /** Where the reader wanted to go. */
  readonly to?: string;
  /** Whether a session ended, in contrast to nobody having signed in. */
  readonly ended?: boolean;
}

/** Only addresses of the console: a link to the sign-in page leads nobody elsewhere. */
const ownPath = (value: unknown): string | undefined =>
  typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined;

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): SignInSearch => {
    const to = ownPath(search['to']);
    return {
      ...(to === undefined ? {} : { to }),
      ...(search['ended'] === true ? { ended: true } : {}),
    };
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'SignInPage'),
});
