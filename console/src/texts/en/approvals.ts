import { count, counted } from '../plural.ts';

const payouts = (n: number) => counted(n, 'payout');

/** Texts of the approval queue. */
export const approvalTexts = {
  title: 'Approvals',
  lead: (total: number, exact: boolean) =>
    total === 0
      ? 'Nothing waits for a decision.'
      : `${payouts(total)}${exact ? '' : ' and more'} ${total === 1 ? 'waits' : 'wait'} for a decision, the longest first.`,
  empty: 'Nothing waits for a decision',
  emptyText:
    'A payout that is created with manual approval stands here until somebody decides on it.',
  caption: 'Payouts that wait for a decision',
  column: {
    select: 'Selected',
    payee: 'Payee',
    amount: 'Amount',
    account: 'Account',
    waits: 'Waits for',
  },
  select: (name: string) => `Select the payout to ${name}`,
  selectAll: 'Select all on this page',
  selected: (n: number) => `${payouts(n)} selected`,
  ofCurrency: (n: number) => `in ${payouts(n)}`,
  canApprove: (n: number) =>
    n === 0 ? 'You can approve none of them.' : `You can approve ${count(n)} of them.`,
  decision: 'Decision',
  approve: 'Approve',
  reject: 'Reject',
  open: 'Open the payout',
  keys: {
    title: 'Keys',
    approve: 'a',
    reject: 'r',
    hint: 'They work while the focus is in the list.',
    list: [
      ['j or ↓', 'next payout'],
      ['k or ↑', 'previous payout'],
      ['x', 'select or not'],
      ['a', 'approve'],
      ['r', 'reject'],
      ['o', 'open'],
    ] as const,
  },
  heed: {
    account: 'account changed',
    similar: (n: number) => `${n} of the same amount`,
    changes: 'payee changed',
    mine: 'made by you',
    failed: 'account failed',
  },
  facts: {
    title: (name: string) => `Payout to ${name}`,
    payee: 'Account holder',
    account: 'Account',
    since: 'Account unchanged since',
    changedAt: 'Changed after the creation',
    purpose: 'Purpose',
    reference: 'Reference',
    madeBy: 'Made by',
    madeAt: 'Made',
    changed: 'What changed since the creation',
    unchanged: 'Neither the payee nor its accounts changed since the payout was created.',
    similar: 'Similar payouts within 30 days',
    noneSimilar: 'No other payout to this payee within 30 days.',
    similarCount: (n: number) => `${payouts(n)} to this payee within 30 days`,
    same: { amount: 'same amount', reference: 'same reference', account: 'same account' },
  },
  may: {
    yes: 'You may approve this payout.',
    yesFourEyes:
      'You may approve this payout. It needs two people: somebody else made it, and your approval is the second pair of eyes.',
  },
  obstacles: {
    not_waiting: 'It does not wait for a decision any more.',
    role: 'Your role does not decide on payouts. Owners, administrators and approvers do.',
    four_eyes: 'You made this payout, so somebody else has to approve it: four eyes.',
    account_changed:
      'The bank account changed after the payout was made, so nobody can approve it: its maker gave other details. Reject it and make a new one.',
    predecessor_examined:
      'It replaces a payout that may have been paid after all. An operator of the platform is finding out; until then nobody can approve this one.',
  },
  obstaclesOfMany: {
    not_waiting: 'They do not wait for a decision any more.',
    role: 'Your role does not decide on payouts. Owners, administrators and approvers do.',
    four_eyes: 'You made them, so somebody else has to approve them: four eyes.',
    account_changed:
      'The bank account changed after they were made, so nobody can approve them. Reject them and make new ones.',
    predecessor_examined:
      'They replace payouts that may have been paid after all. An operator of the platform is finding out; until then nobody can approve them.',
  },
  grounds: {
    created_under:
      'Your business required a second person when the payout was made. That holds for this payout even if the rule is switched off later.',
    business_setting: 'Your business requires a second person for each payout (distinct approver).',
  },
  changes: {
    account_changed: 'The account got other details',
    account_added: 'The payee got a further account',
    account_rejected: 'The payment network refused the account',
    payee_renamed: 'The payee has another legal name',
    payee_acknowledged: 'The payee was acknowledged',
    payee_reacknowledgment_required: 'The payee’s identity changed and waits for acknowledgment',
    payee_suspended: 'The payee was suspended',
    payee_reinstated: 'The suspension was lifted',
    payee_archived: 'The payee was archived',
    payee_invited: 'The payee was asked for details',
    payee_invite_canceled: 'The request for details was canceled',
    payee_invite_expired: 'The request for details expired',
    payee_details_submitted: 'The payee gave details',
  },
  accountFacts: {
    account_holder_name: 'holder',
    country: 'country',
    currency: 'currency',
    bank_name: 'bank',
    account_type: 'kind of account',
    identifiers: 'account number',
  },
  ask: {
    approve: (n: number) => (n === 1 ? 'Approve this payout?' : `Approve ${payouts(n)}?`),
    reject: (n: number) => (n === 1 ? 'Reject this payout?' : `Reject ${payouts(n)}?`),
    nothingLeft: 'Nothing left to decide',
    leftOut: (n: number) => `${payouts(n)} left out:`,
    nothing: (n: number) =>
      n === 1 ? 'You cannot approve this payout:' : `You can approve none of these ${payouts(n)}:`,
    gone: (n: number) =>
      n === 1
        ? 'One of these was decided on or changed meanwhile, and is left out.'
        : `${payouts(n)} of these were decided on or changed meanwhile, and are left out.`,
    group: (n: number, why: string) => `${payouts(n)}: ${why}`,
    which: 'Which ones',
    times: (n: number) => `${count(n)} × `,
    changed: 'One of these changed since you looked at it.',
    changes: (n: number) =>
      n === 1
        ? 'The payee of one of these changed since it was made:'
        : `The payees of ${payouts(n)} changed since they were made:`,
    doubles: (n: number) =>
      n === 1
        ? 'One of these may be a double: another payout to the payee has the same amount within 30 days.'
        : `${payouts(n)} may be doubles: others to the payee have the same amount within 30 days.`,
    failed: (n: number) =>
      n === 1
        ? 'One of these goes to an account that has just failed:'
        : `${payouts(n)} of these go to accounts that have just failed:`,
    doApprove: (n: number) => (n === 1 ? 'Approve' : `Approve ${n}`),
    doReject: (n: number) => (n === 1 ? 'Reject' : `Reject ${n}`),
  },
  done: {
    approve: (n: number) => `${payouts(n)} approved.`,
    reject: (n: number) => `${payouts(n)} rejected.`,
    refused: (n: number) => `${payouts(n)} refused:`,
  },
  gone: (name: string, amount: string) =>
    `The payout to ${name} over ${amount} does not wait any more: somebody decided on it, or canceled it.`,
  mayNotDecide: 'You can look at the queue. Owners, administrators and approvers decide.',
};
