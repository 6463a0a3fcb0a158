import { bankFileProblems, type BankFileProblemCode } from '../../providers/bank/problem.ts';

/** Why a file cannot be read, with what it means. */
export const fileProblems: Readonly<Record<BankFileProblemCode, string>> = bankFileProblems;
export type FileProblem = BankFileProblemCode;

/** What a line of an account was matched with (docs/bank-reconciliation.md). */
export const lineMatches = [
  'open',
  'payout',
  'return',
  'fee',
  'funding',
  'unmatched',
  'explained',
] as const;
export type LineMatch = (typeof lineMatches)[number];

/** Why a line is left to a person, with what it means. */
export const lineDoubts = {
  not_ours: 'It names no payment of this connection, and is no fee.',
  no_amount: 'The bank gives the amount of several payments together.',
  amount_differs: 'The payment that it names has another amount or currency.',
  second_debit: 'Another line shows the debit of this payment already.',
  second_return: 'Another line shows the return of this payment already.',
  several_attempts: 'The payout that it names is in more than one file.',
  batch_differs: 'The payments of the batch that it names do not add up to it.',
  batch_returned: 'It is a credit that names a batch: the bank may have given all of it back.',
  no_debit: 'It gives a payment back of which no debit was told.',
  several_debits: 'It gives a payment back of which more than one debit was told.',
  no_day: 'It has no booking day.',
  reversed: 'It takes back the return of a payment.',
  duplicate: 'The bank returned the payment because it had it twice.',
  other_currency: 'It is a fee or a credit in another currency than that of the account.',
  not_applied: 'It could not be applied, and is left out so that the rest of its file is.',
  remainder: 'The payments of an entry do not add up to the entry; this is the difference.',
} as const;
export type LineDoubt = keyof typeof lineDoubts;

/** What kind of answer names nothing of its connection, with what that means. */
export const strayKinds = {
  message: 'A status report answers a file that this connection has not sent.',
  batch: 'A status report names a batch that is not in the file that it answers.',
  payment: 'A status report names a payment that is not in the file that it answers.',
  return: 'A return names a trace number that no payment of this connection has.',
  change: 'A notification of change names a trace number that no payment of this connection has.',
  other_account: 'A statement or notification is of an account that this connection does not have.',
  account_currency:
    'A statement or notification is of an account of this connection, in a currency in which it has none.',
  event:
    'The worker has given up telling a payout what a file says of it: its job has used up its attempts.',
} as const;
export type StrayKind = keyof typeof strayKinds;

export type BankFileStatus =
  | 'arriving'
  | 'waiting'
  | 'received'
  | 'read'
  | 'unreadable'
  | 'dismissed';

export const proposalStatuses = ['open', 'taken', 'declined'] as const;
export type ProposalStatus = (typeof proposalStatuses)[number];
