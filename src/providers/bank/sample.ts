import {
  accountFor,
  type BankConnectionFacts,
  type BankScheme,
  type DebtorAccount,
} from '../bank-connection.ts';
import type { FileFault } from '../port.ts';
import { nextBankDay } from '../../values/bank-days/bank-day.ts';
import { checkCreditTransfers } from './iso20022/write-credit-transfers.ts';
import { schemeRules } from './iso20022/write-schemes.ts';
import type { CreditTransfer } from './iso20022/write-types.ts';
import { checkAchFile } from './nacha/write-file.ts';

/** A payee whom every scheme can pay. The accounts are published examples and belong to nobody. */
const creditor = {
  name: 'Example',
  address: { lines: ['Example Street 1'], town: 'Example', country: 'DE' },
} as const;
const payment: Omit<CreditTransfer, 'account'> = {
  payoutId: 'pay_01jk0000000000000000000000',
  attemptId: 'dat_01jk0000000000000000000000',
  uetr: '00000000-0000-4000-8000-000000000000',
  amountMinor: 1n,
  creditor,
};
const iban = { account: { iban: 'DE89370400440532013000' }, bank: { bic: 'COBADEFF' } };
const american = { account: { number: '123456789' }, bank: { abaNumber: '021000021' } };
const payments: Readonly<Record<Exclude<BankScheme, 'ach'>, CreditTransfer>> = {
  sepa_credit_transfer: { ...payment, ...iban },
  sepa_instant: { ...payment, ...iban },
  uk_domestic: { ...payment, account: { number: '31926819' }, bank: { sortCode: '601613' } },
  us_wire: { ...payment, ...american },
  cross_border: { ...payment, ...iban },
};

async function accountProblems(
  connection: BankConnectionFacts,
  scheme: Exclude<BankScheme, 'ach'>,
  account: DebtorAccount,
) {
  const { debtor, cutOff, initiatorId, formatOptions } = connection;
  const { bic, sortCode, abaNumber } = account;
  const { problems } = await checkCreditTransfers({
    messageId: 'EXAMPLE',
    createdAt: new Date(0),
    initiator: { name: debtor.name, id: initiatorId ?? undefined },
    groups: [
      {
        id: 'EXAMPLE-1',
        scheme,
        currency: schemeRules[scheme].currency ?? account.currency,
        executionDate: nextBankDay(cutOff.calendar, '2026-01-01'),
        calendar: cutOff.calendar,
        debtor,
        account,
        bank: { bic, sortCode, abaNumber },
        options: formatOptions[scheme],
        payments: () => [payments[scheme]],
      },
    ],
  });
  return problems;
}

/** A scheme of one currency pays from one account, any other from each. */
async function isoProblems(connection: BankConnectionFacts, scheme: Exclude<BankScheme, 'ach'>) {
  const { currency } = schemeRules[scheme];
  const accounts =
    currency === null
      ? [connection.account, ...connection.furtherAccounts]
      : [accountFor(connection, currency)];
  const found = await Promise.all(
    accounts.map((account) => accountProblems(connection, scheme, account)),
  );
  return found.flat();
}

async function achProblems(connection: BankConnectionFacts) {
  const { ach, debtor } = connection;
  const account = accountFor(connection, 'USD');
  if (ach === null) {
    const message = 'The scheme ach needs the ids and names that the bank gave for Nacha files.';
    return [{ field: 'ach', code: 'missing', message }];
  }
  const routingNumber = account.abaNumber ?? '';
  const own = {
    routingNumber,
    number: account.number ?? '',
    type: account.type ?? ('checking' as const),
  };
  const { problems } = await checkAchFile({
    destination: { routingNumber, name: ach.destinationName },
    origin: { id: ach.originId, name: ach.originName },
    created: { date: '2026-01-02', time: '12:00' },
    modifier: 'A',
    batches: [
      {
        number: 1,
        entryClass: 'PPD',
        company: { name: ach.companyName, id: ach.companyId },
        originatingBank: routingNumber,
        description: ach.entryDescription,
        effectiveDate: '2026-01-02',
        offset: ach.balanced ? { account: own, name: debtor.name, sequence: 2 } : undefined,
        payments: () => [
          {
            payoutId: payment.payoutId,
            sequence: 1,
            amountMinor: 1n,
            payee: 'person',
            name: creditor.name,
            account: { routingNumber: '021000021', number: '123456789', type: 'checking' },
          },
        ],
      },
    ],
  });
  return problems;
}

/** The fields of a connection by the parts of a file that are written from them. */
const fields: Readonly<Record<string, string>> = {
  'destination.routingNumber': 'account.abaNumber',
  'destination.name': 'ach.destinationName',
  'origin.id': 'ach.originId',
  'origin.name': 'ach.originName',
  'company.id': 'ach.companyId',
  'company.name': 'ach.companyName',
  originatingBank: 'account.abaNumber',
  description: 'ach.entryDescription',
  'offset.account.routingNumber': 'account.abaNumber',
  'offset.account.number': 'account.number',
  'offset.name': 'debtorName',
  'debtor.name': 'debtorName',
  'debtor.account': 'account',
  'debtor.bank.bic': 'account.bic',
  'debtor.bank.sortCode': 'account.sortCode',
  'debtor.bank.abaNumber': 'account.abaNumber',
  'initiator.name': 'debtorName',
  'initiator.id': 'initiatorId',
};

function fieldOf(field: string): string {
  const address = field.startsWith('debtor.address')
    ? field.replace('debtor.address', 'debtorAddress')
    : null;
  return fields[field] ?? address ?? field;
}

/** What stands in the way of writing files of one scheme with what is known of a connection. */
export async function sampleFaults(
  connection: BankConnectionFacts,
  scheme: BankScheme,
): Promise<readonly FileFault[]> {
  const problems =
    scheme === 'ach' ? await achProblems(connection) : await isoProblems(connection, scheme);
  return problems.map(({ field, code, message }) => ({ field: fieldOf(field), code, message }));
}
