import { count, counted } from '../plural.ts';

/** Texts of the frame and of the parts that every page uses. */
export const commonTexts = {
  title: (page: string) => `${page} · Payouts`,
  product: 'Payouts',
  skip: 'Skip to the content',
  loading: 'Loading …',
  action: { cancel: 'Cancel', close: 'Close', retry: 'Try again', save: 'Save' },
  navigation: {
    label: 'Main',
    menu: 'Menu',
    overview: 'Overview',
    approvals: 'Approvals',
    payouts: 'Payouts',
    payees: 'Payees',
    webhooks: 'Webhooks',
    exports: 'Exports',
    members: 'Members',
    keys: 'API keys',
    settings: 'Settings',
    sessions: 'Sessions',
    work: 'Work',
    account: 'Account',
  },
  environment: {
    sandbox: 'Sandbox',
    production: 'Production',
    sandboxNote: 'Nothing here moves real money.',
    productionNote: 'Real money. Payouts that are approved here are paid.',
    toSandbox: 'Switch to sandbox',
    toProduction: 'Switch to production',
    operator: 'Operator',
    operatorNote:
      'You see the businesses of this platform. What you do is recorded with your name.',
    switched: (name: string) => `You now work in ${name}.`,
  },
  person: { signOut: 'Sign out' },
  roles: {
    owner: 'Owner',
    admin: 'Administrator',
    preparer: 'Preparer',
    approver: 'Approver',
    developer: 'Developer',
    viewer: 'Viewer',
  },
  states: {
    pending_approval: 'Waits for approval',
    compliance_hold: 'Held for compliance',
    approved: 'Approved',
    disbursed: 'Disbursed',
    settled: 'Settled',
    failed: 'Failed',
    returned: 'Returned',
    rejected: 'Rejected',
    canceled: 'Canceled',
  },
  time: {
    exact: 'Exact times',
    lasting: (value: number, unit: 'minute' | 'hour' | 'day') =>
      value === 0 ? `less than a ${unit}` : counted(value, unit),
  },
  table: {
    changed: 'changed',
    announce: (rows: number) => `${counted(rows, 'row')} of the list changed.`,
  },
  pager: {
    label: 'Pages',
    labelOf: (list: string) => `Pages of ${list}`,
    previous: 'Previous',
    next: 'Next',
    shown: (shown: number, total: number | undefined, exact: boolean) =>
      total === undefined
        ? counted(shown, 'row')
        : `${count(shown)} of ${count(total)}${exact ? '' : '+'}`,
  },
  copy: {
    label: (name: string) => `Copy ${name}`,
    copy: 'Copy',
    copied: 'Copied',
    done: (name: string) => `${name} is copied.`,
  },
  reason: {
    label: 'Reason',
    optional: 'Reason (optional)',
    missing: 'Say why: the reason is kept with the record.',
  },
  failed: {
    request: (id: string) => `Request ${id}`,
    network: {
      title: 'The service cannot be reached.',
      text: 'Your connection may be interrupted. What you see may be older than it looks.',
    },
    busy: {
      title: 'The service is away for a moment.',
      text: 'It starts or is under load. Try again in a minute; nothing that you did is lost.',
    },
    unknown: {
      title: 'Something went wrong on our side.',
      text: 'Try again. If it fails again, tell your operator the number of the request.',
    },
    stale: 'What you see is as of',
    notLoaded: {
      text: 'That page could not be loaded, so you are still where you were, and nothing is lost.',
      open: 'Open it in another tab',
      leave: 'Load it here, without what you typed',
    },
    page: {
      title: 'This page failed.',
      text: 'Load it anew. If it fails again, tell your operator what you were doing.',
    },
    notFound: {
      title: 'There is no such page.',
      text: 'The address may be mistyped, or what it showed is of your other environment.',
      home: 'Go to the overview',
    },
    operatorsOnly: {
      title: 'These pages are for operators.',
      text: 'Operators run this platform. You are signed in as a member of a business, which has no part in them.',
      signIn: 'Sign in as an operator',
      back: 'Back to the overview',
    },
  },
};
