import {
  accountFor,
  bankProviderName,
  type BankConnectionFacts,
  type BankScheme,
} from '../bank-connection.ts';
import {
  ProviderError,
  type EnrollRequest,
  type FileCapabilities,
  type FileFault,
  type FileJudgement,
  type FilePayment,
  type FileRail,
} from '../port.ts';
import { abilitiesOf } from '../capabilities.ts';
import { checkCreditTransfer } from './iso20022/write-credit-transfers.ts';
import { checkAchCredit } from './nacha/write-file.ts';
import { achCreditOf, creditTransferOf } from './payment.ts';
import { paidByScheme, schemeReaches } from './reach.ts';
import type { FileProblem } from './write-problems.ts';

/** The fields of the API by the parts of a file that are written from them. */
const apiFields: Readonly<Record<string, string>> = {
  amountMinor: 'amount_minor',
  name: 'account_holder_name',
  'account.number': 'account_number',
  'account.routingNumber': 'routing_code',
  'creditor.name': 'account_holder_name',
  'creditor.account': 'iban',
  'creditor.bank': 'swift_bic',
  'creditor.bank.bic': 'swift_bic',
  'creditor.bank.sortCode': 'routing_code',
  'creditor.bank.abaNumber': 'routing_code',
  'creditor.address': 'postal_address',
  'creditor.address.town': 'postal_address.city',
  'creditor.address.country': 'postal_address.country',
  'creditor.address.postalCode': 'postal_address.postal_code',
  'creditor.address.region': 'postal_address.state',
  'creditor.address.lines': 'postal_address.line1',
};

/** Domestic schemes find an account by its number and the bank's own code. */
const domestic = new Set<BankScheme>(['uk_domestic', 'us_wire']);

function fieldOf({ field }: FileProblem, scheme: BankScheme): string {
  if (domestic.has(scheme) && field === 'creditor.account') return 'account_number';
  if (domestic.has(scheme) && field === 'creditor.bank') return 'routing_code';
  return apiFields[field] ?? field;
}

/** Stand for what is only known when the file is written; the checks look at their form. */
const example = {
  payoutId: 'pay_01jk0000000000000000000000',
  attemptId: 'dat_01jk0000000000000000000000',
  uetr: '00000000-0000-4000-8000-000000000000',
};

function problemsOf(
  connection: BankConnectionFacts,
  payment: FilePayment,
  scheme: BankScheme,
): readonly FileProblem[] {
  if (scheme !== 'ach') {
    const group = {
      scheme,
      currency: payment.currency,
      account: accountFor(connection, payment.currency),
      options: connection.formatOptions[scheme],
    };
    return checkCreditTransfer(creditTransferOf(payment, example), group).problems;
  }
  const { ach } = connection;
  const account = accountFor(connection, payment.currency);
  if (ach === null) throw new Error(`${connection.id} offers ACH without its ids`);
  return checkAchCredit(achCreditOf(payment, { payoutId: example.payoutId, sequence: 1 }), {
    number: 1,
    entryClass: payment.payee.type === 'person' ? 'PPD' : 'CCD',
    company: { name: ach.companyName, id: ach.companyId },
    originatingBank: account.abaNumber ?? '',
    description: ach.entryDescription,
    effectiveDate: '2026-01-02',
    payments: () => [],
  }).problems;
}

function judge(
  connection: BankConnectionFacts,
  payment: FilePayment,
  wanted: BankScheme | null,
): FileJudgement {
  const facts = { ...payment, country: payment.destination.country };
  let refusal: FileJudgement = { kind: 'out_of_reach' };
  for (const scheme of connection.schemes) {
    if ((wanted ?? scheme) !== scheme || !schemeReaches(scheme, facts)) continue;
    const problems = problemsOf(connection, payment, scheme);
    if (problems.length === 0) return { kind: 'writable', scheme };
    if (refusal.kind !== 'out_of_reach') continue;
    const faults = problems.map((problem): FileFault => ({
      field: fieldOf(problem, scheme),
      code: problem.code,
      message: problem.message,
    }));
    refusal = { kind: 'unwritable', scheme, faults };
  }
  return refusal;
}

function enroll(connection: BankConnectionFacts, request: EnrollRequest) {
  const { payee, destination, idempotencyKey, reference } = request;
  const { currency } = destination;
  const payment = { payee, destination, currency, amountMinor: 1n, purpose: 'other' };
  const judgement = judge(connection, payment, null);
  if (judgement.kind === 'writable') return { recipientId: idempotencyKey, reference };
  const why =
    judgement.kind === 'out_of_reach'
      ? 'no scheme of the bank pays to this account.'
      : judgement.faults.map(({ field, message }) => `${field}: ${message}`).join(' ');
  throw new ProviderError('rejected', 'invalid_account', `Files for the bank: ${why}`);
}

/** What an account at a bank pays by its schemes. */
export const fileCapabilities = ({
  maxPayments,
  schemes,
}: Pick<BankConnectionFacts, 'maxPayments' | 'schemes'>): FileCapabilities => ({
  batch: { maxPayments },
  schemes,
  pays: schemes.map(paidByScheme),
  can: abilitiesOf('reportsBalance'),
});

/** The rail of an account at a bank. */
export function createBankRail(connection: BankConnectionFacts): FileRail {
  return {
    name: bankProviderName(connection.id),
    capabilities: fileCapabilities(connection),
    enroll: async (request) => enroll(connection, request),
    judge: (payment, scheme) => judge(connection, payment, scheme),
  };
}
