import type { LinkProps } from '@tanstack/react-router';
import type { Viewer } from './session.ts';
import { texts } from '../texts/texts.ts';
import type { Permission } from '../../../generated/console-types/codes.ts';

interface NavigationItem {
  readonly to: NonNullable<LinkProps['to']>;
  readonly text: string;
  /** Without it the page is of no use to the viewer, so the way to it is left out. */
  readonly permission?: Permission;
}

interface NavigationGroup {
  /** Null for the first group. */
  readonly title: string | null;
  readonly items: readonly NavigationItem[];
}

/** The ways to the pages of a member, in the order in which they are needed. */
const ofMembers: readonly NavigationGroup[] = [
  {
    title: null,
    items: [
      { to: '/', text: texts.navigation.overview },
      { to: '/approvals', text: texts.navigation.approvals },
      { to: '/payouts', text: texts.navigation.payouts },
      { to: '/payees', text: texts.navigation.payees },
      { to: '/money', text: texts.navigation.money },
      { to: '/banks', text: texts.navigation.banks },
    ],
  },
  {
    title: texts.navigation.work,
    items: [
      { to: '/screening', text: texts.navigation.screening },
      { to: '/webhooks', text: texts.navigation.webhooks },
      { to: '/exports', text: texts.navigation.exports },
      { to: '/providers', text: texts.providers.title },
      { to: '/activity', text: texts.activity.title },
    ],
  },
  {
    title: texts.navigation.account,
    items: [
      { to: '/members', text: texts.navigation.members },
      { to: '/policy', text: texts.navigation.policy },
      { to: '/keys', text: texts.navigation.keys },
      { to: '/settings', text: texts.navigation.settings },
      { to: '/sessions', text: texts.people.account },
    ],
  },
];

/** The ways to the pages of the platform's operators. */
const ofOperators: readonly NavigationGroup[] = [
  {
    title: null,
    items: [
      { to: '/operator/businesses', text: texts.operator.businesses.title },
      { to: '/operator/standstills', text: texts.operator.standstills.title },
      { to: '/operator/find', text: texts.operatorPayout.find.title },
      { to: '/operator/banks', text: texts.operatorBanks.title },
      { to: '/operator/queue', text: texts.operator.queue.title },
      { to: '/operator/dead-letters', text: texts.operator.deadLetters.title },
      { to: '/operator/health', text: texts.operator.health.title },
      { to: '/operator/log', text: texts.operator.log.title },
    ],
  },
  {
    title: texts.navigation.account,
    items: [{ to: '/sessions', text: texts.people.account }],
  },
];

/** Whether a path of the console leads to a page of operators, of which a member may see nothing. Paths ignore case. */
export const isOfOperators = (path: string): boolean => /^\/operator(?:[/?#]|$)/i.test(path);

/** The ways that are of use to a viewer. */
export function navigationOf(viewer: Viewer): readonly NavigationGroup[] {
  const isUseful = ({ permission }: NavigationItem) =>
    permission === undefined || viewer.permissions.includes(permission);
  return (viewer.isOperator ? ofOperators : ofMembers).map(({ title, items }) => ({
    title,
    items: items.filter(isUseful),
  }));
}
