import { count, counted } from '../plural.ts';

const units = { minute: 'minute', hour: 'hour', day: 'day' } as const;

export const overviewTexts = {
  title: 'Overview',
  range: {
    label: 'Days',
    days: (days: number) => counted(days, 'day'),
  },
  count,
  waiting: {
    title: 'Waits for approval',
    none: 'Nothing waits for a decision.',
    payouts: (payouts: number) => counted(payouts, 'payout'),
    longest: 'Longest wait',
    caption: 'Payouts that wait for approval, by how long they have waited',
    age: 'Waits',
    any: 'In all',
    atLeast: (value: number, unit: keyof typeof units) =>
      `${counted(value, units[unit])} or longer`,
    number: 'Payouts',
  },
  states: {
    title: 'Payouts by state',
    lead: (days: number) => `Created in the last ${counted(days, 'day')}`,
    link: (payouts: number, state: string) => `${counted(payouts, 'payout')}: ${state}`,
  },
  days: {
    title: 'Sums by day',
    currency: 'Currency',
    inDays: (payouts: number, days: number) =>
      `${counted(payouts, 'payout')} in ${counted(days, 'day')}`,
    onDay: (payouts: number, day: string) => `${counted(payouts, 'payout')} on ${day}`,
    chart: (currency: string) =>
      `Amounts created each day in ${currency}. The table below has the same.`,
    caption: (currency: string) => `Payouts created each day in ${currency}`,
    day: 'Day',
    number: 'Payouts',
    amount: 'Amount',
    show: 'Show as a table',
    none: 'No payout was created in these days.',
  },
  failures: {
    title: 'Failures by code',
    caption: 'Payouts that failed or were returned, by code',
    code: 'Code',
    number: 'Payouts',
    unknown: 'No code given',
    none: 'No payout failed or came back.',
  },
  deliveries: {
    title: 'Webhook deliveries',
    healthy: 'Deliveries arrive',
    failing: 'The endpoint refuses deliveries',
    none: 'Nothing to deliver',
    since: 'Since',
    failures: 'Failed attempts',
    last: 'Latest answer',
    status: (status: number) => `HTTP ${status}`,
    delivered: 'Delivered',
    pending: 'On their way',
    dead: 'Given up',
    canceled: 'Canceled',
  },
  funding: {
    title: 'Funding available',
    none: 'There is no funding account yet.',
    held: 'Held for approved payouts',
    inTransit: 'Under way',
    reported: 'Reported',
    byBooks: 'By the books',
  },
};
