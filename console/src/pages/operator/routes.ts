import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { placeOf, textOf, wordOf, type ListPlace } from '../../app/place.ts';
import { shellRoute } from '../../app/shell-route.ts';
import { texts } from '../../texts/texts.ts';

const words = texts.operator;
const keysOf = <Word extends string>(table: Readonly<Record<Word, string>>): Word[] =>
  Object.keys(table) as Word[];

/** A value of the address, where it has one. */
const part = <Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [Key in Name]?: Value } =>
  value === undefined ? {} : ({ [name]: value } as { readonly [Key in Name]: Value });

type ProfileStatus = keyof typeof words.businesses.profiles;
type JobState = keyof typeof words.queue.jobStates;
type LetterKind = keyof typeof words.deadLetters.kinds;

/** The pages of those who run the platform. */
const businessesRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/businesses',
  validateSearch: (search): ListPlace & { find?: string; profile?: ProfileStatus } => ({
    ...placeOf(search),
    ...part('find', textOf(search['find'])),
    ...part('profile', wordOf(keysOf(words.businesses.profiles), search['profile'])),
  }),
  component: lazyRouteComponent(() => import('./businesses.tsx'), 'BusinessesPage'),
});

const standstillsRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/standstills',
  validateSearch: placeOf,
  component: lazyRouteComponent(() => import('./standstills.tsx'), 'StandstillsPage'),
});

const findRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/find',
  validateSearch: (search): { what?: string } => part('what', textOf(search['what'])),
  component: lazyRouteComponent(() => import('./find.tsx'), 'FindPage'),
});

const payoutRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/payouts/$id',
  component: lazyRouteComponent(() => import('./payout-page.tsx'), 'OperatorPayoutPage'),
});

const queueRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/queue',
  validateSearch: (search): ListPlace & { task?: string; state?: JobState; subject?: string } => ({
    ...placeOf(search),
    ...part('task', textOf(search['task'])),
    ...part('subject', textOf(search['subject'])),
    ...part('state', wordOf(keysOf(words.queue.jobStates), search['state'])),
  }),
  component: lazyRouteComponent(() => import('./queue.tsx'), 'QueuePage'),
});

const deadLettersRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/dead-letters',
  validateSearch: (search): ListPlace & { kind?: LetterKind } => ({
    ...placeOf(search),
    ...part('kind', wordOf(keysOf(words.deadLetters.kinds), search['kind'])),
  }),
  component: lazyRouteComponent(() => import('./dead-letters.tsx'), 'DeadLettersPage'),
});

const healthRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/health',
  component: lazyRouteComponent(() => import('./health.tsx'), 'HealthPage'),
});

const logRoute = createRoute({
  getParentRoute: () => shellRoute,
  path: '/operator/log',
  validateSearch: (search): ListPlace & { subject?: string } => ({
    ...placeOf(search),
    ...part('subject', textOf(search['subject'])),
  }),
  component: lazyRouteComponent(() => import('./log.tsx'), 'LogPage'),
});

export const operatorRoutes = [
  businessesRoute,
  standstillsRoute,
  findRoute,
  payoutRoute,
  queueRoute,
  deadLettersRoute,
  healthRoute,
  logRoute,
] as const;
