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

export const payeeRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/payees/$id',
  component: lazyRouteComponent(() => import('./payee-page.tsx'), 'PayeePage'),
});
