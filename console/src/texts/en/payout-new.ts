/** Texts of the form that makes a payout. */
export const newPayoutTexts = {
  title: 'New payout',
  lead: 'Everything is checked while you type. Nothing is made before you say so.',
  replaces: (id: string) => `It replaces ${id}, which failed or came back.`,
  choose: 'Choose …',
  payee: 'Payee',
  payeeHint: 'Type a name, or the e-mail address or id of a payee.',
  payeeMissing: 'No payee of yours has this address or id.',
  account: 'Account',
  noAccount: 'This payee has no bank account.',
  amount: 'Amount',
  amountHint: (currency: string) => `In ${currency}, such as 1,234.50`,
  amountFault: 'This is no amount of that currency.',
  purpose: 'Purpose',
  reference: 'Your reference (optional)',
  check: {
    title: 'Check',
    fill: 'Choose a payee, an account, an amount and a purpose; then it is checked.',
    running: 'Checking …',
    fits: 'It can be made as it is.',
    fitsAgain:
      'Ask the payee for another account. The same one makes sense only where the cause is gone.',
    funds: 'The funds would cover its approval.',
    short: 'The funds on record fall short of it by ',
    similar: (n: number) =>
      n === 1
        ? 'One other payout to this payee has the same amount within 30 days. Is this a double?'
        : `${n} other payouts to this payee have the same amount within 30 days. Is this a double?`,
    next: 'Once made, it waits for an approval.',
  },
  create: 'Make the payout',
  created: 'The payout is made.',
  mayNot: 'Your role does not make payouts. Owners, administrators and preparers do.',
};
