import type { LinkProps } from '@tanstack/react-router';
import type { IconName } from '../parts/icon.tsx';
import type { Viewer } from './session.ts';
import { texts } from '../texts/texts.ts';
import type { Permission } from '../../../generated/console-types/codes.ts';

interface NavigationItem {
  readonly to: NonNullable<LinkProps['to']>;
  readonly text: string;
  readonly icon: IconName;
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
      { to: '/', text: texts.navigation.overview, icon: 'overview' },
      { to: '/approvals', text: texts.navigation.approvals, icon: 'approval' },
      { to: '/payouts', text: texts.navigation.payouts, icon: 'payout' },
      { to: '/payees', text: texts.navigation.payees, icon: 'payees' },
      { to: '/money', text: texts.navigation.money, icon: 'money' },
      { to: '/banks', text: texts.navigation.banks, icon: 'bank' },
    ],
  },
  {
    title: texts.navigation.work,
    items: [
      { to: '/screening', text: texts.navigation.screening, icon: 'shield' },
      { to: '/webhooks', text: texts.navigation.webhooks, icon: 'bolt' },
      { to: '/exports', text: texts.navigation.exports, icon: 'download' },
      { to: '/providers', text: texts.providers.title, icon: 'plug' },
      { to: '/activity', text: texts.activity.title, icon: 'pulse' },
    ],
  },
  {
    title: texts.navigation.account,
    items: [
      { to: '/members', text: texts.navigation.members, icon: 'person' },
      { to: '/policy', text: texts.navigation.policy, icon: 'rules' },
      { to: '/keys', text: texts.navigation.keys, icon: 'key' },
      { to: '/settings', text: texts.navigation.settings, icon: 'settings' },
      { to: '/sessions', text: texts.people.account, icon: 'account' },
    ],
  },
];

/** The ways to the pages of the platform's operators. */
const ofOperators: readonly NavigationGroup[] = [
  {
    title: null,
    items: [
      { to: '/operator/businesses', text: texts.operator.businesses.title, icon: 'building' },
      { to: '/operator/standstills', text: texts.operator.standstills.title, icon: 'warning' },
      { to: '/operator/find', text: texts.operatorPayout.find.title, icon: 'search' },
      { to: '/operator/banks', text: texts.operatorBanks.title, icon: 'bank' },
      { to: '/operator/queue', text: texts.operator.queue.title, icon: 'list' },
      { to: '/operator/dead-letters', text: texts.operator.deadLetters.title, icon: 'bolt' },
      { to: '/operator/health', text: texts.operator.health.title, icon: 'pulse' },
      { to: '/operator/log', text: texts.operator.log.title, icon: 'clock' },
    ],
  },
  {
    title: texts.navigation.account,
    items: [{ to: '/sessions', text: texts.people.account, icon: 'account' }],
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
