/**
 * What a status of a bank means for one payment:
 * - `accepted`: checked and taken; nothing is executed yet.
 * - `in_process`: being executed.
 * - `settled`: the debtor's account is debited, or the creditor's credited.
 * - `pending`: received, or kept back; the bank decides later.
 * - `rejected`: refused; it is not and will not be paid.
 * - `canceled`: taken back before it was paid.
 * - `partial`: some payments of the group fare in another way than the rest; says nothing of a single one.
 * - `unknown`: a status that is not in this table. A person has to look.
 */
export type BankVerdict =
  | 'accepted'
  | 'in_process'
  | 'settled'
  | 'pending'
  | 'rejected'
  | 'canceled'
  | 'partial'
  | 'unknown';

interface StatusMeaning {
  readonly verdict: BankVerdict;
  readonly meaning: string;
}

/**
 * The statuses of payments and groups in ISO 20022's external code sets.
 * @see https://www.iso20022.org/catalogue-messages/additional-content-messages/external-code-sets
 */
export const statusCodes: Readonly<Record<string, StatusMeaning>> = {
  RCVD: { verdict: 'pending', meaning: 'Received, not checked yet' },
  PDNG: { verdict: 'pending', meaning: 'Waits for further checks' },
  ACTC: { verdict: 'accepted', meaning: 'Format and authentication are right' },
  ACCP: { verdict: 'accepted', meaning: 'The customer’s profile is right as well' },
  ACFC: { verdict: 'accepted', meaning: 'The funds were checked as well' },
  ACWC: { verdict: 'accepted', meaning: 'Accepted with a change, such as of the date' },
  ACSP: { verdict: 'in_process', meaning: 'Being executed' },
  ACWP: { verdict: 'in_process', meaning: 'Accepted by the payee’s bank, not booked yet' },
  ACSC: { verdict: 'settled', meaning: 'The debtor’s account is debited' },
  ACCC: { verdict: 'settled', meaning: 'The creditor’s account is credited' },
  // Of the verification of payees, which comes before the execution and refuses nothing.
  RCVC: { verdict: 'pending', meaning: 'The payee’s name was verified: it matches' },
  RVMC: { verdict: 'pending', meaning: 'The payee’s name was verified: it nearly matches' },
  RVNM: { verdict: 'pending', meaning: 'The payee’s name was verified: it does not match' },
  RVNA: { verdict: 'pending', meaning: 'The payee’s name could not be verified' },
  RVNC: { verdict: 'pending', meaning: 'The verification of names is not complete' },
  RVCM: { verdict: 'pending', meaning: 'The names were verified, and some do not match' },
  RJCT: { verdict: 'rejected', meaning: 'Refused' },
  CANC: { verdict: 'canceled', meaning: 'Canceled' },
  PART: { verdict: 'partial', meaning: 'Some payments are accepted, others are not' },
  PATC: { verdict: 'partial', meaning: 'Some of the needed authorizations are given' },
};

/** The statuses that tell what a bank found of the payee's name. They come before the execution. */
const ofNames: ReadonlySet<string> = new Set(['RCVC', 'RVMC', 'RVNM', 'RVNA', 'RVNC', 'RVCM']);
export const isOfName = (status: string): boolean => ofNames.has(status);

/** The verdict of a status as the bank writes it. */
export function verdictOf(status: string): BankVerdict {
  return Object.hasOwn(statusCodes, status)
    ? (statusCodes[status]?.verdict ?? 'unknown')
    : 'unknown';
}
