import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route.tsx';
import { texts } from '../../texts/texts.ts';
import { ownPath } from '../../app/sign-in/way-back.ts';

interface SignInSearch {
  /** Where the reader wanted to go. */
  readonly to?: string;
  /** Whether a session ended, in contrast to nobody having signed in. */
  readonly ended?: boolean;
  /** Present for who runs the platform, whose address may also be that of a member. */
  readonly as?: 'operator';
  /** Why the sign-in of a company did not work, as the service says it. */
  readonly error?: CompanyError;
}

type CompanyError = keyof typeof texts.signIn.company;

const isCompanyError = (value: unknown): value is CompanyError =>
  typeof value === 'string' && Object.hasOwn(texts.signIn.company, value);

export const signInRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/sign-in',
  validateSearch: (search: Record<string, unknown>): SignInSearch => {
    const to = ownPath(search['to']);
    return {
      ...(to === undefined ? {} : { to }),
      ...(search['ended'] === true ? { ended: true } : {}),
      ...(search['as'] === 'operator' ? { as: 'operator' } : {}),
      ...(isCompanyError(search['error']) ? { error: search['error'] } : {}),
    };
  },
  component: lazyRouteComponent(() => import('./page.tsx'), 'SignInPage'),
});
