import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf, textOf, wordOf, type ListPlace } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';
import { texts } from '../../texts/texts.ts';
import type { PayeeChoice } from './choice.ts';

const words = texts.payees;
const keysOf = <Word extends string>(table: Readonly<Record<Word, string>>): Word[] =>
  Object.keys(table) as Word[];

function choiceOf(search: Record<string, unknown>): PayeeChoice {
  const sought = textOf(search['sought']);
  const type = wordOf(keysOf(words.types), search['type']);
  const compliance = wordOf(keysOf(words.compliances), search['compliance']);
  return {
    ...(sought === undefined ? {} : { sought }),
    ...(type === undefined ? {} : { type }),
    ...(compliance === undefined ? {} : { compliance }),
  };
}

export const payeesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payees',
  validateSearch: (search): ListPlace & PayeeChoice => ({
    ...placeOf(search),
    ...choiceOf(search),
  }),
  component: lazyRouteComponent(() => import('./page.tsx'), 'PayeesPage'),
});

const aimOf = (search: Record<string, unknown>) =>
  search['aim'] === 'pay' ? { aim: 'pay' as const } : {};

export const payeeAddRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payees/new',
  validateSearch: (search): { readonly aim?: 'pay' } => aimOf(search),
  component: lazyRouteComponent(() => import('./add-page.tsx'), 'AddPayeePage'),
});

export const payeeEditRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payees/$id/edit',
  component: lazyRouteComponent(() => import('./edit-page.tsx'), 'EditPayeePage'),
});

export const accountAddRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payees/$id/accounts/new',
  validateSearch: (search): { readonly aim?: 'pay'; readonly replaces?: string } => {
    const replaces = textOf(search['replaces']);
    return { ...aimOf(search), ...(replaces === undefined ? {} : { replaces }) };
  },
  component: lazyRouteComponent(() => import('./account-add-page.tsx'), 'AddAccountPage'),
});

export const accountRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payees/$id/accounts/$account',
  component: lazyRouteComponent(() => import('./account-page.tsx'), 'AccountPage'),
});

export const payeeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payees/$id',
  validateSearch: (search): { readonly ask?: true } =>
    search['ask'] === true ? { ask: true } : {},
  component: lazyRouteComponent(() => import('./payee-page.tsx'), 'PayeePage'),
});
